import { useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { type Control, type Resolver, useController, useForm, useWatch } from 'react-hook-form'
import { uuidv7 } from 'uuidv7'
import { createTrait, updateTrait } from '#contracts/calls/traits.ts'
import { growthStages } from '#contracts/choices.ts'
import { maxTraitOptions } from '#contracts/limits.ts'
import type { NewTrait, Trait } from '#contracts/traits.ts'
import { stageNames } from '#web/entities/grow-logs/log-fields.ts'
import { directionWords, figure, kindWords, sourceWords } from '#web/entities/traits/trait-words.ts'
import { refreshTraits } from '#web/entities/traits/traits.api.ts'
import { SelectField, TextField } from '#web/forms/fields.tsx'
import { fieldErrors, openIfWrong, showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { withUnit } from '#web/lib/units.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { FieldGroup, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { desirabilityFor } from './tracker-rows.ts'
import { changeOf, hasOptions, isScorable, nextOption, readTrait, type TraitValues, valuesOf } from './trait-form-values.ts'

type TraitDialogProps = {
  huntId: string
  /** Null for a new trait. */
  trait: Trait | null
  onOpenChange: (open: boolean) => void
}

const fields = [
  'name',
  'source',
  'kind',
  'analyte',
  'unit',
  'options',
  'direction',
  'low',
  'target',
  'high',
  'weight',
  'fromStage',
  'toStage',
  'heritability',
] as const

const expertFields = ['fromStage', 'toStage', 'heritability']

const resolver: Resolver<TraitValues, unknown, NewTrait> = async (values) => {
  const read = readTrait(values)
  if ('trait' in read) return { values: read.trait, errors: {} }
  const errors = Object.entries(read.errors).map(([name, message]) => [name, { type: 'contract', message }])
  return { values: {}, errors: Object.fromEntries(errors) }
}

const words = <Key extends string>(all: Record<Key, string>) => Object.entries(all) as [Key, string][]

export function TraitDialog({ huntId, trait, onOpenChange }: TraitDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const [id] = useState(uuidv7)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm<TraitValues, unknown, NewTrait>({ defaultValues: valuesOf(trait), resolver, mode: 'onTouched' })
  const { control } = form
  const now = useWatch({ control }) as TraitValues
  const isObserved = now.source === 'observation'
  const kind = isObserved ? now.kind : 'number'
  const isJudged = isScorable(kind) && now.direction !== 'none'

  const expert = useRef<HTMLDetailsElement>(null)
  const showExpert = (errors: object) => openIfWrong(expert.current, expertFields, errors)

  const submit = form.handleSubmit(async (stated) => {
    setFailure(null)
    try {
      if (trait) await call(updateTrait, { params: { id: trait.id }, body: changeOf(stated, trait.version) })
      else await call(createTrait, { params: { id: huntId }, body: { ...stated, id } })
      onOpenChange(false)
      await refreshTraits(client)
    } catch (error) {
      showExpert(fieldErrors(error))
      setFailure(showServerErrors(form, error, fields))
      // Someone else has changed the trait. Opening it again shows the current version.
      if (error instanceof ApiError && error.code === 'conflict') await refreshTraits(client)
    }
  }, showExpert)

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={trait ? 'Edit trait' : 'New trait'}
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={form.formState.isSubmitting} pendingText="Saving..." className="min-h-12">
              {trait ? 'Save' : 'Add trait'}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
          <TextField control={control} name="name" label="Name" maxLength={80} autoComplete="off" />
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <SelectField control={control} name="source" label="Values come from" disabled={trait !== null}>
              {words(sourceWords).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
            {isObserved && (
              <SelectField control={control} name="kind" label="Kind" disabled={trait !== null}>
                {words(kindWords).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </SelectField>
            )}
            {now.source === 'lab' && (
              <TextField
                control={control}
                name="analyte"
                label="Analyte"
                hint="The lab’s name for it, such as “Total THC”."
                maxLength={60}
                disabled={trait !== null}
              />
            )}
            {kind === 'number' && (isObserved || now.source === 'lab') && (
              <TextField control={control} name="unit" label="Unit" hint="cm, days, % …" maxLength={20} optional />
            )}
          </div>
          {hasOptions(kind) && <OptionsField control={control} isScale={kind === 'ordinal'} />}
          {isScorable(kind) && (
            <fieldset className="grid gap-4 rounded-card border border-line p-4">
              <legend className="px-1 font-medium text-sm">What’s desirable</legend>
              <div className="grid items-start gap-4 sm:grid-cols-2">
                <SelectField control={control} name="direction" label="Direction">
                  {words(directionWords).map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </SelectField>
                {isJudged && (
                  <TextField
                    control={control}
                    name="weight"
                    label="Weight"
                    inputMode="decimal"
                    hint="Its share of the score is its weight divided by the sum of all weights."
                  />
                )}
              </div>
              {isJudged && (
                <>
                  <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-3">
                    <TextField
                      control={control}
                      name="low"
                      label={now.direction === 'min' ? 'Full score at' : 'No score at'}
                      inputMode="decimal"
                    />
                    {now.direction === 'target' && <TextField control={control} name="target" label="Best at" inputMode="decimal" />}
                    <TextField
                      control={control}
                      name="high"
                      label={now.direction === 'max' ? 'Full score at' : 'No score at'}
                      inputMode="decimal"
                    />
                  </div>
                  <DesirabilityCurve
                    curve={{
                      direction: now.direction,
                      low: figure(now.low),
                      high: figure(now.high),
                      target: figure(now.target),
                      unit: now.unit,
                    }}
                  />
                </>
              )}
            </fieldset>
          )}
          {kind !== 'photo' && <MustField control={control} kind={kind} />}
          <details ref={expert} className="group rounded-card border border-line">
            <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium text-sm">Expert fields</summary>
            <div className="grid items-start gap-4 px-4 pb-4 sm:grid-cols-2">
              {(['fromStage', 'toStage'] as const).map((name) => (
                <SelectField key={name} control={control} name={name} label={name === 'fromStage' ? 'Scored from' : 'Scored until'}>
                  <option value="">{name === 'fromStage' ? 'The beginning' : 'The end'}</option>
                  {growthStages.map((stage) => (
                    <option key={stage} value={stage}>
                      {stageNames[stage]}
                    </option>
                  ))}
                </SelectField>
              ))}
              {isJudged && (
                <TextField
                  control={control}
                  name="heritability"
                  label="Estimated heritability"
                  inputMode="decimal"
                  optional
                  hint="For a single plant, between 0 and 1. Your scores will outweigh this first guess over time. If empty, it’s 0.4."
                  className="sm:col-span-2"
                />
              )}
            </div>
          </details>
          <FormError>{failure}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}

type MustFieldProps = { control: Control<TraitValues, unknown, NewTrait>; kind: Trait['kind'] }

/** Chooses the values that rule a pheno out, however well it scores otherwise. */
function MustField({ control, kind }: MustFieldProps) {
  const { field: isMust } = useController({ control, name: 'isMust' })
  const { field: not } = useController({ control, name: 'mustNot' })
  const options = useWatch({ control, name: 'options' }).filter(({ label }) => label.trim() !== '')
  if (kind === 'date') {
    return (
      <Checkbox checked={isMust.value} onChange={(event) => isMust.onChange(event.target.checked)}>
        Any date rules the pheno out
      </Checkbox>
    )
  }
  if (!isScorable(kind)) {
    if (options.length === 0) return null
    return (
      <FieldGroup legend="Rules a pheno out">
        {options.map(({ value, label }) => (
          <Checkbox
            key={value}
            checked={not.value.includes(value)}
            onChange={(event) => not.onChange(event.target.checked ? [...not.value, value] : not.value.filter((other) => other !== value))}
          >
            {label}
          </Checkbox>
        ))}
      </FieldGroup>
    )
  }
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <TextField control={control} name="mustMin" label="Rule out below" inputMode="decimal" optional />
      <TextField control={control} name="mustMax" label="Rule out above" inputMode="decimal" optional />
    </div>
  )
}

const width = 220
const height = 64
const pad = 6

type Curve = Pick<Trait, 'direction' | 'low' | 'high' | 'target' | 'unit'>

function DesirabilityCurve({ curve }: { curve: Curve }) {
  const { low, high, target, unit, direction } = curve
  const worth = desirabilityFor(curve)
  if (!worth || low === null || high === null || low >= high) return null
  const beyond = (high - low) * 0.15
  const stops = [low - beyond, low, ...(direction === 'target' && target !== null ? [target] : []), high, high + beyond]
  const x = (value: number) => pad + ((value - low + beyond) / (high - low + 2 * beyond)) * (width - 2 * pad)
  const y = (value: number) => pad + (1 - (worth(value) ?? 0)) * (height - 2 * pad)
  const least = `${withUnit(low, unit)} or less`
  const most = `${withUnit(high, unit)} or more`
  const best = direction === 'max' ? most : direction === 'min' ? least : withUnit(`${target}`, unit)
  const worst = direction === 'max' ? least : direction === 'min' ? most : `${least} and at ${most}`
  return (
    <figure className="grid gap-1.5">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Full score at ${best}, no score at ${worst}`} className="h-16 w-55">
        <line x1={pad} x2={width - pad} y1={height - pad} y2={height - pad} className="stroke-line" />
        <polyline
          points={stops.map((value) => `${x(value)},${y(value)}`).join(' ')}
          className="fill-none stroke-leaf"
          strokeWidth="2.5"
          strokeLinejoin="round"
        />
      </svg>
      <figcaption className="text-muted text-sm">
        Full score at {best}, no score at {worst}.
      </figcaption>
    </figure>
  )
}

type OptionsFieldProps = { control: Control<TraitValues, unknown, NewTrait>; isScale: boolean }

/** For a scale's steps or a list's options. When steps are removed, later ones keep their numbers. */
function OptionsField({ control, isScale }: OptionsFieldProps) {
  const { field, fieldState } = useController({ control, name: 'options' })
  const options = field.value
  const one = isScale ? 'Anchor' : 'Option'
  return (
    <FieldGroup
      legend={isScale ? 'Anchors' : 'Options'}
      hint={isScale ? 'Describe each step so everyone scores the same way. Empty steps are ignored.' : 'Empty options are ignored.'}
      error={fieldState.error?.message}
    >
      <ol className="grid gap-2">
        {options.map(({ value, label }, at) => (
          <li key={value} className="flex items-center gap-2">
            <span className="w-7 shrink-0 text-right text-muted text-sm tabular-nums">{isScale ? value : at + 1}</span>
            <Input
              ref={at === 0 ? field.ref : undefined}
              aria-label={`${one} ${isScale ? value : at + 1}`}
              value={label}
              maxLength={80}
              onBlur={field.onBlur}
              onChange={(event) =>
                field.onChange(options.map((each) => (each.value === value ? { value, label: event.target.value } : each)))
              }
            />
            <IconButton
              label={`Remove ${one.toLowerCase()} ${isScale ? value : at + 1}`}
              onClick={() => field.onChange(options.filter((each) => each.value !== value))}
            >
              <X aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ol>
      {options.length < maxTraitOptions && (
        <Button variant="secondary" className="justify-self-start" onClick={() => field.onChange([...options, nextOption(options)])}>
          <Plus aria-hidden="true" />
          Add {one.toLowerCase()}
        </Button>
      )}
    </FieldGroup>
  )
}
