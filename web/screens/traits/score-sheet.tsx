import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { recordedSources } from '#contracts/choices.ts'
import type { Observation, ObservedValue } from '#contracts/observations.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { dayText } from '#web/entities/growing-plots/plot-table.ts'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { PendingBadge } from '#web/entities/offline/pending-entry.tsx'
import { useOutbox } from '#web/entities/offline/use-outbox.ts'
import { formatValue, type OpenedTrait, observedValueOf, removedHint, sourceHint } from '#web/entities/traits/trait-words.ts'
import { observationsOptions } from '#web/entities/traits/traits.api.ts'
import { ValueInput } from '#web/entities/traits/value-input.tsx'
import { localDay } from '#web/lib/time-words.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { DayInput, Input } from '#web/ui/input.tsx'
import { MorePages } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { observationChains } from './entry-rows.ts'
import { type NewValue, writeValues } from './observation-writes.ts'

type ScoreSheetProps = {
  huntId: string
  genotype: { id: string; name: string }
  opened: OpenedTrait
  plants: readonly LogPlant[]
  records: readonly TraitRecord[]
  mayWrite: boolean
  onOpenChange: (open: boolean) => void
}

export function ScoreSheet({ huntId, genotype, opened, plants, records, mayWrite, onOpenChange }: ScoreSheetProps) {
  const { trait } = opened
  const description = removedHint(opened) ?? (trait.source === 'observation' ? null : sourceHint(trait.source))
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent title={`${trait.name} of ${genotype.name}`} size="md" {...(description === null ? {} : { description })}>
        {recordedSources.includes(trait.source) ? (
          <Observed huntId={huntId} genotypeId={genotype.id} trait={trait} plants={plants} records={records} mayWrite={mayWrite} />
        ) : records.length === 0 ? (
          <p className="text-muted">Not measured yet.</p>
        ) : (
          <DerivedValues trait={trait} plants={plants} records={records} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type ValuesProps = Pick<ScoreSheetProps, 'plants' | 'records'> & { trait: Trait }

function DerivedValues({ trait, plants, records }: ValuesProps) {
  return (
    <ul className="grid divide-y divide-line rounded-card border border-line">
      {records.map((record) => (
        <li
          key={`${record.plantId} ${record.on} ${record.number}`}
          className="flex flex-wrap items-baseline justify-between gap-2 px-4 py-3"
        >
          <span className="font-medium tabular-nums">
            {plants.find(({ id }) => id === record.plantId)?.name}: {record.isBelowLimit ? `below the limit, counted as ` : ''}
            {formatValue(trait, record)}
          </span>
          <span className="text-muted text-sm">{dayText(record.on)}</span>
        </li>
      ))}
    </ul>
  )
}

type ObservedProps = ValuesProps & Pick<ScoreSheetProps, 'huntId' | 'mayWrite'> & { genotypeId: string }

function Observed({ huntId, genotypeId, trait, plants, records, mayWrite }: ObservedProps) {
  const list = useInfiniteQuery(observationsOptions(huntId, genotypeId, trait.id))
  const [open, setOpen] = useState<{ of: Observation; kind: 'correct' | 'withdraw' } | 'new' | null>(null)
  const waiting = useOutbox({ subject: trait.id }).filter(
    ({ subjects, status }) => status !== 'arrived' && plants.some(({ id }) => subjects.includes(id)),
  )
  if (list.isPending) {
    return (
      <SkeletonGroup label="Loading the values...">
        <SkeletonText lines={4} />
      </SkeletonGroup>
    )
  }
  if (!list.data) {
    return <LoadError level={3} title="The values couldn’t be loaded" query={list} />
  }
  const chains = observationChains(list.data.pages.flatMap(({ items }) => items))
  const recorded = new Set(chains.flatMap(({ last }) => (last.isWithdrawn ? [] : last.plantId)))
  const derived = trait.source === 'rooting_days' ? records.filter(({ plantId }) => !recorded.has(plantId)) : []
  const nameOf = (plantId: string) => plants.find(({ id }) => id === plantId)?.name ?? ''
  const write = async (value: NewValue) => {
    try {
      await writeValues(huntId, `${trait.name} of ${nameOf(value.plantId)}`, [value])
      setOpen(null)
    } catch (error) {
      toastUnsaved('The value couldn’t be saved', error)
    }
  }
  return (
    <div className="grid gap-4">
      {waiting.map((each) => (
        <p key={each.id} className="flex flex-wrap items-center gap-2 text-sm">
          {each.title} <PendingBadge status={each.status} />
        </p>
      ))}
      {derived.length > 0 && <DerivedValues trait={trait} plants={plants} records={derived} />}
      {chains.length === 0 && derived.length === 0 && <p className="text-muted">Not measured yet.</p>}
      {chains.length > 0 && (
        <ul className="grid divide-y divide-line rounded-card border border-line">
          {chains.map(({ last, corrected }) => (
            <li key={last.id} className="grid gap-2 px-4 py-3">
              <div className="flex flex-wrap items-start justify-between gap-3">
                <div className="grid min-w-0 gap-1">
                  <p className="font-medium">
                    <span>{nameOf(last.plantId)}</span>:{' '}
                    {last.isWithdrawn ? <span className="text-muted">withdrawn</span> : formatValue(trait, last)}
                    {last.isBlind && <Badge className="ml-2">Blind</Badge>}
                  </p>
                  <ObservationText of={last} />
                  {last.photo && (
                    <span className="block size-28 overflow-hidden rounded-input bg-sunk">
                      <MediaPicture media={last.photo} sizes="112px" />
                    </span>
                  )}
                </div>
                {mayWrite && (
                  <div className="flex gap-1">
                    {trait.kind !== 'photo' && (
                      <Button variant="secondary" className="min-h-12" onClick={() => setOpen({ of: last, kind: 'correct' })}>
                        Correct
                      </Button>
                    )}
                    {!last.isWithdrawn && (
                      <Button variant="quiet" className="min-h-12 px-3" onClick={() => setOpen({ of: last, kind: 'withdraw' })}>
                        Withdraw
                      </Button>
                    )}
                  </div>
                )}
              </div>
              {corrected.map((before) => (
                <div key={before.id} className="border-line border-l-2 pl-3 text-sm">
                  <p className="text-muted">
                    Corrects <s>{before.isWithdrawn ? 'withdrawn' : formatValue(trait, before)}</s>
                  </p>
                  <ObservationText of={before} />
                </div>
              ))}
              {open !== null && open !== 'new' && open.of.id === last.id && (
                <ValueForm
                  key={open.kind}
                  trait={trait}
                  plants={plants.filter(({ id }) => id === last.plantId)}
                  of={last}
                  isWithdrawal={open.kind === 'withdraw'}
                  onWrite={write}
                  onCancel={() => setOpen(null)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <MorePages list={list} />
      {mayWrite && trait.kind !== 'photo' && open !== 'new' && (
        <Button variant="secondary" size="lg" className="justify-self-start" onClick={() => setOpen('new')}>
          Add a value
        </Button>
      )}
      {open === 'new' && <ValueForm trait={trait} plants={plants} onWrite={write} onCancel={() => setOpen(null)} />}
    </div>
  )
}

const ObservationText = ({ of }: { of: Observation }) => (
  <p className="text-muted text-sm">
    {dayText(of.observedOn)}
    {of.observedBy || of.scorer ? `, ${of.observedBy?.name ?? of.scorer}` : ''}
    {of.note === '' ? '' : `: ${of.note}`}
  </p>
)

type ValueFormProps = {
  trait: Trait
  plants: readonly LogPlant[]
  of?: Observation
  isWithdrawal?: boolean
  onWrite: (value: NewValue) => Promise<void>
  onCancel: () => void
}

function ValueForm({ trait, plants, of, isWithdrawal = false, onWrite, onCancel }: ValueFormProps) {
  const [plantId, setPlantId] = useState(of?.plantId ?? plants[0]?.id ?? '')
  const [day, setDay] = useState(of?.observedOn ?? localDay())
  const [note, setNote] = useState('')
  const [value, setValue] = useState<ObservedValue | null>(of ? observedValueOf(of) : null)
  const [problem, setProblem] = useState<string | undefined>()
  const [isSaving, setSaving] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isWithdrawal && value === null) return showErrors(event.currentTarget, () => setProblem('Enter a value'))
    setSaving(true)
    await onWrite({
      traitId: trait.id,
      plantId,
      observedOn: day,
      value: isWithdrawal ? null : value,
      note: note.trim(),
      isBlind: of?.isBlind ?? false,
      correctsId: of?.id ?? null,
    })
    setSaving(false)
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4 rounded-card bg-sunk p-4">
      {isWithdrawal ? (
        <p className="text-sm">The value will no longer count. The history will still show it and who withdrew it.</p>
      ) : (
        <>
          {plants.length > 1 && (
            <Field label="Plant">
              <Select value={plantId} onChange={(event) => setPlantId(event.target.value)}>
                {plants.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <ValueInput
            trait={trait}
            first={of}
            error={problem}
            onChange={(next) => {
              setProblem(undefined)
              setValue(next)
            }}
          />
          <Field label="Day" className="w-44">
            <DayInput value={day} max={localDay()} onDayChange={setDay} />
          </Field>
        </>
      )}
      <Field label={of ? 'Reason' : 'Note'} optional>
        <Input value={note} maxLength={1000} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="lg" pending={isSaving} pendingText="Saving..." variant={isWithdrawal ? 'danger' : 'primary'}>
          {isWithdrawal ? 'Withdraw' : of ? 'Save correction' : 'Save value'}
        </Button>
        <Button size="lg" variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
