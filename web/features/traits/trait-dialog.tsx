import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import { growthStages } from '../../../contracts/grow-logs.ts'
import { getTraitRecords } from '../../../contracts/observations.ts'
import { changeTrait, createTrait, listTraits, type NewTrait, type Trait } from '../../../contracts/traits.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { SelectField, TextField } from '../accounts/fields.tsx'
import { showServerErrors } from '../accounts/server-errors.ts'
import { stageNames } from '../grow-logs/log-fields.ts'
import { newId } from '../offline/ids.ts'
import { DesirabilityCurve } from './desirability-curve.tsx'
import { OptionsField } from './options-field.tsx'
import { canBeJudged, changeOf, hasOptions, readTrait, type TraitValues, valuesOf } from './trait-form-values.ts'
import { figure } from './trait-values.ts'
import { directionWords, kindWords, sourceWords } from './trait-words.ts'

type TraitDialogProps = {
  huntId: string
  /** Null: a new one. */
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

const resolver: Resolver<TraitValues, unknown, NewTrait> = async (values) => {
  const read = readTrait(values)
  if ('trait' in read) return { values: read.trait, errors: {} }
  const errors = Object.entries(read.errors).map(([name, message]) => [name, { type: 'contract', message }])
  return { values: {}, errors: Object.fromEntries(errors) }
}

const words = <Key extends string>(all: Record<Key, string>) => Object.entries(all) as [Key, string][]

/** What is looked at, in which words or unit, and what of it is good. */
export function TraitDialog({ huntId, trait, onOpenChange }: TraitDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const [id] = useState(newId)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm<TraitValues, unknown, NewTrait>({ defaultValues: valuesOf(trait), resolver, mode: 'onTouched' })
  const { control } = form
  const now = useWatch({ control }) as TraitValues
  const isObserved = now.source === 'observation'
  const kind = isObserved ? now.kind : 'number'
  const isJudged = canBeJudged(kind) && now.direction !== 'none'

  const submit = form.handleSubmit(async (stated) => {
    setFailure(null)
    try {
      if (trait) await call(changeTrait, { params: { id: trait.id }, body: changeOf(stated, trait.version) })
      else await call(createTrait, { params: { id: huntId }, body: { ...stated, id } })
      onOpenChange(false)
      await Promise.all([listTraits, getTraitRecords].map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
    } catch (error) {
      if (!showServerErrors(form, error, fields)) setFailure(messageOf(error))
    }
  })

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
                hint="As the lab calls it, like “Total THC”"
                maxLength={60}
                disabled={trait !== null}
              />
            )}
            {kind === 'number' && (isObserved || now.source === 'lab') && (
              <TextField control={control} name="unit" label="Unit" hint="cm, days, % …" maxLength={20} optional />
            )}
          </div>
          {hasOptions(kind) && <OptionsField control={control} isScale={kind === 'ordinal'} />}
          {canBeJudged(kind) && (
            <fieldset className="grid gap-4 rounded-card border border-line p-4">
              <legend className="px-1 font-medium text-sm">What is good</legend>
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
                    hint="Its share in the score is its weight over the sum of all"
                  />
                )}
              </div>
              {isJudged && (
                <>
                  <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-3">
                    <TextField control={control} name="low" label={now.direction === 'min' ? 'All at' : 'Nothing at'} inputMode="decimal" />
                    {now.direction === 'target' && <TextField control={control} name="target" label="Best at" inputMode="decimal" />}
                    <TextField
                      control={control}
                      name="high"
                      label={now.direction === 'max' ? 'All at' : 'Nothing at'}
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
          <details className="group rounded-card border border-line">
            <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium text-sm">Expert fields</summary>
            <div className="grid items-start gap-4 px-4 pb-4 sm:grid-cols-2">
              {(['fromStage', 'toStage'] as const).map((name) => (
                <SelectField key={name} control={control} name={name} label={name === 'fromStage' ? 'Looked at from' : 'Looked at until'}>
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
                  label="Stated heritability"
                  inputMode="decimal"
                  optional
                  hint="Of a single plant, between 0 and 1; used while there are too few replicates. Left empty: 0.3"
                  className="sm:col-span-2"
                />
              )}
            </div>
          </details>
          {failure && (
            <div role="alert">
              <FieldError>{failure}</FieldError>
            </div>
          )}
        </form>
      </DialogContent>
    </Dialog>
  )
}
