import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { updateGenotype, updatePlant } from '#contracts/calls/plants.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { EndKind, Genotype, Plant } from '#contracts/plants.ts'
import { plantsOf } from '#web/entities/grow-logs/plant-names.ts'
import { QuickLog } from '#web/entities/grow-logs/quick-log.tsx'
import { unsavedMessage } from '#web/entities/offline/enqueue.ts'
import { typedNames } from '#web/entities/offline/use-outbox.ts'
import { LastCopyLock, lastCopiesAmong, lockError } from '#web/entities/plants/last-copy-lock.tsx'
import { idsOf, livingPlantsOf, PlantChoice } from '#web/entities/plants/plant-choice.tsx'
import { endVerbs, endWords } from '#web/entities/plants/plant-words.ts'
import { namesOf, recordEnd } from '#web/entities/plants/plant-writes.ts'
import { refreshPlants } from '#web/entities/plants/plants.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { DayInput, Input, Textarea } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { BulkForm, DayField, SeedLotField, SexField, useOpened } from './bulk-form.tsx'

const plantValues = ({ startedOn, cutOn, rootedOn, isMother, notes }: Plant) => ({
  days: { startedOn: startedOn ?? '', cutOn: cutOn ?? '', rootedOn: rootedOn ?? '' },
  isMother,
  notes,
})

export function PlantDialog({ plant: latest, onOpenChange }: { plant: Plant; onOpenChange: (open: boolean) => void }) {
  const { opened: plant, values, set, onLoadLatest } = useOpened(latest, plantValues)
  const { days, isMother, notes } = values
  const dayField = (key: keyof typeof days, label: string) => (
    <Field label={label}>
      <Input
        type="date"
        max={localDay()}
        value={days[key]}
        onChange={(event) => set({ days: { ...days, [key]: event.target.value } })}
        className="min-h-12"
      />
    </Field>
  )
  const changed = Object.fromEntries(
    Object.entries(days).flatMap(([key, day]) => (day === (plant[key as keyof typeof days] ?? '') ? [] : [[key, day || null]])),
  )
  return (
    <BulkForm
      title={`Edit ${plant.name}`}
      submit="Save"
      onOpenChange={onOpenChange}
      onLoadLatest={onLoadLatest}
      act={() =>
        call(updatePlant, { params: { id: plant.id }, body: { ...changed, isMother, notes, version: plant.version } }).then(
          ({ name }) => `${name} saved`,
        )
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {plant.kind === 'seed' ? (
          dayField('startedOn', 'Started on')
        ) : (
          <>
            {dayField('cutOn', 'Cut on')}
            {dayField('rootedOn', 'Rooted on')}
          </>
        )}
      </div>
      <Checkbox checked={isMother} onChange={(event) => set({ isMother: event.target.checked })}>
        It’s a mother: clones are cut from it
      </Checkbox>
      <Field label="Notes" optional>
        <Textarea rows={3} maxLength={5000} value={notes} onChange={(event) => set({ notes: event.target.value })} />
      </Field>
    </BulkForm>
  )
}

type GenotypeDialogProps = { huntId: string; genotype: Genotype; onOpenChange: (open: boolean) => void }

const genotypeValues = ({ label, sex, seedLotId, kind, notes }: Genotype) => ({
  label,
  sex,
  lotId: seedLotId ?? '',
  isCheck: kind === 'check',
  notes,
})

export function GenotypeDialog({ huntId, genotype: latest, onOpenChange }: GenotypeDialogProps) {
  const { opened: genotype, values, set, onLoadLatest } = useOpened(latest, genotypeValues)
  const { label, sex, lotId, isCheck, notes } = values
  const [sexedOn, setSexedOn] = useState(localDay())
  return (
    <BulkForm
      title={`Edit ${genotype.name}`}
      submit="Save"
      onOpenChange={onOpenChange}
      onLoadLatest={onLoadLatest}
      act={() =>
        call(updateGenotype, {
          params: { id: genotype.id },
          body: {
            label,
            notes,
            seedLotId: lotId || null,
            ...(isCheck === (genotype.kind === 'check') ? {} : { kind: isCheck ? ('check' as const) : ('seed' as const) }),
            version: genotype.version,
            ...(sex === genotype.sex ? {} : { sex, sexedOn: sexedOn || localDay() }),
          },
        }).then(({ name }) => `${name} saved`)
      }
    >
      <Field label="Label" optional hint="Your own name for it, such as its smell or look.">
        <Input value={label} maxLength={80} onChange={(event) => set({ label: event.target.value })} className="min-h-12" />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <SexField value={sex} onChange={(next) => set({ sex: next })} />
        {sex !== genotype.sex && <DayField label="Seen on" value={sexedOn} onChange={setSexedOn} />}
      </div>
      <SeedLotField huntId={huntId} value={lotId} onChange={(next) => set({ lotId: next })} />
      <Checkbox
        checked={isCheck}
        disabled={genotype.standing !== null}
        hint={
          genotype.standing === null
            ? 'A known cut that you grow in several runs to compare them. It’s never ranked.'
            : 'Undo the decision on this pheno to make it a check clone.'
        }
        onChange={(event) => set({ isCheck: event.target.checked })}
      >
        It’s a check clone
      </Checkbox>
      <Field label="Notes" optional>
        <Textarea rows={4} maxLength={5000} value={notes} onChange={(event) => set({ notes: event.target.value })} />
      </Field>
    </BulkForm>
  )
}

type LogDialogProps = { hunt: Hunt; genotypes: readonly Genotype[]; onOpenChange: (open: boolean) => void }

export function LogDialog({ hunt, genotypes, onOpenChange }: LogDialogProps) {
  const plants = plantsOf(genotypes, hunt.germinationDate)
  const first = plants.find(({ isAlive }) => isAlive) ?? plants[0]
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent title="Log" description={namesOf(genotypes)} size="lg">
        <QuickLog hunt={hunt} plants={plants} lastHeightOf={() => null} firstPlantId={first?.id ?? null} level={3} />
      </DialogContent>
    </Dialog>
  )
}

type EndDialogProps = {
  huntId: string
  genotypes: readonly Genotype[]
  /** Defaults to all living plants of the genotypes. */
  plantId?: string | undefined
  onOpenChange: (open: boolean) => void
  onDone?: () => void
}

export function EndDialog({ huntId, genotypes, plantId, onOpenChange, onDone }: EndDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const [how, setHow] = useState<EndKind>('harvested')
  const [day, setDay] = useState(localDay())
  const plants = livingPlantsOf(genotypes).filter(({ id }) => plantId === undefined || id === plantId)
  const [chosen, setChosen] = useState(() => idsOf(plants))
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const [isSending, setSending] = useState(false)
  const ending = plants.filter(({ id }) => chosen.has(id))
  const last = lastCopiesAmong(genotypes, idsOf(ending), how)
  const confirmed = typedNames(typed, last)
  const isLocked = confirmed.length < last.length

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (ending.length === 0) return setError('Choose at least one plant')
    if (isLocked) {
      const form = event.currentTarget
      setError(null)
      return showErrors(form, () => setAsked(true))
    }
    setError(null)
    setSending(true)
    try {
      await recordEnd(client, huntId, { plants: ending, endedHow: how, endedOn: day, confirmLastCopies: confirmed })
      onOpenChange(false)
      onDone?.()
    } catch (failure) {
      setError(unsavedMessage(failure))
      if (failure instanceof ApiError && failure.status === 409) await refreshPlants(client)
    } finally {
      setSending(false)
    }
  }

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={plants.length === 1 && plants[0] ? `End ${plants[0].name}` : 'End plants'}
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button
              type="submit"
              form={formId}
              variant={last.length > 0 ? 'danger' : 'primary'}
              pending={isSending}
              pendingText="Saving..."
              className="min-h-12"
            >
              {endVerbs[how]}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="What happened">
              <Select value={how} onChange={(event) => setHow(event.target.value as EndKind)} className="[&_select]:min-h-12">
                {Object.entries(endWords).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="On">
              <DayInput max={localDay()} value={day} onDayChange={setDay} className="min-h-12" />
            </Field>
          </div>
          <PlantChoice legend="Plants" plants={plants} chosen={chosen} onChoose={setChosen} />
          <LastCopyLock
            genotypes={last}
            action={endVerbs[how].toLowerCase()}
            typed={typed}
            onTyped={setTyped}
            error={isAsked && isLocked ? lockError : null}
          />
          <FormError>{error}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}
