import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { type Control, useController, useForm, useWatch } from 'react-hook-form'
import { chanceWith, type SeedKind, seedsFor } from '#agronomy/sample-size.ts'
import { createHunt } from '#contracts/calls/hunts.ts'
import type { NewHunt } from '#contracts/hunts.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { StrainCombobox } from '#web/entities/strains/strain-combobox.tsx'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { SelectField, TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { fieldErrors, isSignedOut, openIfWrong, showServerErrors } from '#web/forms/server-errors.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { emptyHunt, HuntFactsFields, type NewHuntValues, nameOfCross, newHuntFields, newHuntResolver } from './hunt-facts-fields.tsx'

export function NewHuntDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const user = useCurrentUser()
  const formId = useId()
  const [isBusy, setBusy] = useState(false)
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        isInAddress
        size="md"
        title="New Hunt"
        description="Private until you share it."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={isBusy} pendingText="Creating..." className="min-h-12">
              Create Hunt
            </Button>
          </>
        }
      >
        {user && <NewHuntForm id={formId} userId={user.id} onBusy={setBusy} onDone={() => onOpenChange(false)} />}
      </DialogContent>
    </Dialog>
  )
}

const moreFields = ['generation', 'breeders', 'growEnvironment', 'germinationDate', 'goals', 'plantLimit']

type FormProps = { id: string; userId: string; onBusy: (busy: boolean) => void; onDone: () => void }

function NewHuntForm({ id, userId, onBusy, onDone }: FormProps) {
  const client = useQueryClient()
  const router = useRouter()
  const subject = `new-hunt.${userId}`
  const [defaultValues] = useState(() => withDraft(subject, emptyHunt))
  const form = useForm<NewHuntValues, unknown, NewHunt>({ defaultValues, resolver: newHuntResolver, mode: 'onTouched' })
  const { control, setValue, getValues } = form
  const dropDraft = useDraft(form, subject)
  const [failure, setFailure] = useState<string | null>(null)
  const [mother, father, isSelfed, seedCount, seedType] = useWatch({
    control,
    name: ['mother', 'father', 'isSelfed', 'seedCount', 'seedType'],
  })
  const isSubmitting = form.formState.isSubmitting
  useEffect(() => onBusy(isSubmitting), [onBusy, isSubmitting])

  // The hunt is named after its cross until the grower types a name.
  const [suggested, setSuggested] = useState(() => nameOfCross(defaultValues).slice(0, 120))
  function suggestName(cross: Partial<Pick<NewHuntValues, 'mother' | 'father' | 'isSelfed'>>) {
    const name = nameOfCross({ mother, father, isSelfed, ...cross })
    if (['', suggested].includes(getValues('huntName'))) {
      setValue('huntName', name.slice(0, 120), { shouldValidate: form.formState.isSubmitted })
      setSuggested(name.slice(0, 120))
    }
  }

  const more = useRef<HTMLDetailsElement>(null)
  const showMore = (errors: object) => openIfWrong(more.current, moreFields, errors)

  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    try {
      const hunt = await call(createHunt, { body }, { idempotencyKey: creationKey(subject, body) })
      dropCreationKey(subject)
      dropDraft()
      toast({
        title: 'Hunt created',
        description: hunt.counts.genotypes > 0 ? `${hunt.huntName}: #1 to #${hunt.counts.genotypes}` : hunt.huntName,
      })
      await refreshHunts(client)
      onDone()
      await router.navigate({ to: '/pheno-hunt', search: { hunt: hunt.id }, replace: true })
    } catch (error) {
      showMore(fieldErrors(error))
      setFailure(showServerErrors(form, error, newHuntFields))
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  }, showMore)

  return (
    <form id={id} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <ParentField control={control} name="mother" label="Mother (or strain name)" onPicked={(name) => suggestName({ mother: name })} />
        {!isSelfed && <ParentField control={control} name="father" label="Father" onPicked={(name) => suggestName({ father: name })} />}
      </div>
      <TextField control={control} name="huntName" label="Hunt name" maxLength={120} autoComplete="off" />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          control={control}
          name="seedCount"
          label="Seeds"
          inputMode="numeric"
          autoComplete="off"
          placeholder="0"
          className="[&_input]:min-h-12"
        />
        <SelectField control={control} name="seedType" label="Seed type" className="[&_select]:min-h-12">
          <option value="regular">Regular</option>
          <option value="feminized">Feminized</option>
          <option value="auto">Autoflower</option>
        </SelectField>
      </div>
      <p className="-mt-2 text-muted text-sm">Each seed becomes a numbered plant: #1, #2, #3 and so on.</p>
      <SampleSizeNote
        seeds={Number(seedCount)}
        kind={seedType === 'regular' ? 'regular' : 'feminized'}
        onChoose={(seeds) => setValue('seedCount', String(seeds), { shouldDirty: true, shouldValidate: true })}
      />
      <details ref={more} className="group rounded-input border border-line">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-3.5 font-medium [&::-webkit-details-marker]:hidden">
          More details
          <ChevronDown aria-hidden="true" className="size-5 text-muted transition-transform group-open:rotate-180" />
        </summary>
        <div className="grid gap-4 border-line border-t px-3.5 py-4">
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextField
              control={control}
              name="generation"
              label="Generation"
              optional
              maxLength={20}
              autoComplete="off"
              placeholder="F1, F2, S1, BX1"
            />
            <SelfedField control={control} onPicked={(picked) => suggestName({ isSelfed: picked })} />
          </div>
          <HuntFactsFields control={control} />
        </div>
      </details>
      <FormError>{failure}</FormError>
    </form>
  )
}

type NewHuntControl = Control<NewHuntValues, unknown, NewHunt>

function ParentField({
  control,
  name,
  label,
  onPicked,
}: {
  control: NewHuntControl
  name: 'mother' | 'father'
  label: string
  onPicked: (name: string) => void
}) {
  const { field, fieldState } = useController({ control, name })
  return (
    <Field label={label} optional error={fieldState.error?.message}>
      <StrainCombobox
        ref={field.ref}
        value={field.value}
        onChange={(text) => {
          field.onChange(text)
          onPicked(text)
        }}
      />
    </Field>
  )
}

function SelfedField({ control, onPicked }: { control: NewHuntControl; onPicked: (picked: boolean) => void }) {
  const { field } = useController({ control, name: 'isSelfed' })
  return (
    <Checkbox
      ref={field.ref}
      checked={field.value}
      onChange={(event) => {
        field.onChange(event.target.checked)
        onPicked(event.target.checked)
      }}
      className="sm:pt-6"
    >
      Selfed (the mother is also the father)
    </Checkbox>
  )
}

const rarities = [
  { share: 1 / 4, words: '1-in-4 plant' },
  { share: 1 / 16, words: '1-in-16 plant' },
  { share: 0.05, words: 'top-5% plant' },
  { share: 1 / 64, words: '1-in-64 plant' },
  { share: 0.01, words: 'top-1% plant' },
]

type SampleSizeNoteProps = { seeds: number; kind: SeedKind; onChoose: (seeds: number) => void }

/** Shows the chance of finding a plant of a given rarity among the seeds, and how many seeds make that likely. */
function SampleSizeNote({ seeds, kind, onChoose }: SampleSizeNoteProps) {
  const id = useId()
  const [chosen, setChosen] = useState(1)
  const { share, words } = rarities[chosen] ?? { share: 1 / 16, words: '1-in-16 plant' }
  const needed = seedsFor(share, 0.95, kind)
  const isKnown = Number.isInteger(seeds) && seeds > 0
  return (
    <div className="grid gap-2 rounded-input bg-sunk px-3.5 py-3 text-sm">
      <label htmlFor={id} className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">Seeds needed for at least one</span>
        <Select id={id} value={chosen} onChange={(event) => setChosen(Number(event.target.value))} className="w-40">
          {rarities.map((rarity, index) => (
            <option key={rarity.words} value={index}>
              {rarity.words}
            </option>
          ))}
        </Select>
      </label>
      <p className="text-muted" aria-live="polite">
        Pop {counted(needed, kind === 'regular' ? 'regular seed' : 'seed')} for a 95% chance of at least one{' '}
        {kind === 'regular' ? words.replace('plant', 'female') : words}.
        {isKnown && seeds !== needed && ` Your seeds give ${percent(chanceWith(seeds, share, kind))}.`}
      </p>
      {seeds !== needed && (
        <button
          type="button"
          onClick={() => onChoose(needed)}
          className="min-h-12 justify-self-start rounded-input border border-edge bg-surface px-4 font-medium hover:border-ink/60 sm:min-h-10"
        >
          Use {formatNumber(needed)}
        </button>
      )}
    </div>
  )
}

function percent(chance: number): string {
  const rounded = Math.round(chance * 100)
  return rounded === 100 ? 'over 99%' : rounded === 0 ? 'under 1%' : `${rounded}%`
}
