import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { type Control, type Resolver, useController } from 'react-hook-form'
import { type Hunt, HuntChange, NewHunt, type NewHuntCross } from '#contracts/hunts.ts'
import * as z from '#contracts/zod.ts'
import { findBreeders } from '#web/entities/strains/strain-combobox.tsx'
import { TextareaField, TextField } from '#web/forms/fields.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'

// Accepts the control of a form with more fields.
type FactsProps<Values extends HuntValues, Output> = { control: Control<Values, unknown, Output> }

const environments = ['Indoor tent', 'Indoor room', 'Greenhouse', 'Outdoor', 'Hydroponic', 'Living soil bed', 'Coco in pots']

export function HuntFactsFields<Values extends HuntValues, Output>(form: FactsProps<Values, Output>) {
  const control = form.control as unknown as Control<HuntValues>
  const breeders = useController({ control, name: 'breeders' })
  return (
    <>
      <BreedersField value={breeders.field.value} onChange={breeders.field.onChange} error={breeders.fieldState.error?.message} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          control={control}
          name="growEnvironment"
          label="Grow environment"
          optional
          maxLength={120}
          list="grow-environments"
          autoComplete="off"
        />
        <datalist id="grow-environments">
          {environments.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextField control={control} name="germinationDate" label="Germination date" optional type="date" />
      </div>
      <TextareaField
        control={control}
        name="goals"
        label="Goals"
        optional
        rows={3}
        maxLength={2000}
        hint="What you’re looking for in a keeper."
      />
      <TextField
        control={control}
        name="plantLimit"
        label="Plant limit"
        optional
        inputMode="numeric"
        autoComplete="off"
        hint="The most plants you’re allowed to grow at a time. Only people you share the hunt with can see it."
      />
    </>
  )
}

type BreedersFieldProps = { value: string[]; onChange: (breeders: string[]) => void; error?: string | undefined }

function BreedersField({ value, onChange, error }: BreedersFieldProps) {
  const [typed, setTyped] = useState('')
  function add(name: string) {
    setTyped('')
    const trimmed = name.trim()
    if (trimmed !== '' && !value.some((each) => each.toLowerCase() === trimmed.toLowerCase())) onChange([...value, trimmed])
  }
  function onKey(event: KeyboardEvent) {
    const isMarked = event.target instanceof HTMLInputElement && event.target.getAttribute('aria-activedescendant') !== null
    if (isMarked || (event.key !== 'Enter' && event.key !== ',')) return
    event.preventDefault()
    add(typed)
  }
  return (
    <div className="grid gap-2">
      <Field label="Breeders" optional hint="Press Enter after each." error={error}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the interactive element is the field inside */}
        <div onKeyDownCapture={onKey} onBlur={() => add(typed)}>
          <Combobox
            value={typed}
            maxLength={80}
            onValueChange={setTyped}
            loadOptions={findBreeders}
            optionKey={({ name }) => name}
            optionText={({ name }) => name}
            onSelect={({ name }) => queueMicrotask(() => add(name))}
            emptyText="No matching breeder. You can still use this name."
          />
        </div>
      </Field>
      {value.length > 0 && (
        <ul aria-label="Breeders chosen" className="flex flex-wrap gap-2">
          {value.map((name) => (
            <li key={name} className="flex items-center gap-1 rounded-full bg-sunk pl-3 text-sm">
              <span className="max-w-56 truncate">{name}</span>
              <button
                type="button"
                onClick={() => onChange(value.filter((each) => each !== name))}
                className="touch-target grid size-9 place-items-center rounded-full text-muted hover:text-ink [&_svg]:size-4"
              >
                <X aria-hidden="true" />
                <span className="sr-only">Remove {name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export type HuntValues = {
  huntName: string
  seedCount: string
  breeders: string[]
  growEnvironment: string
  germinationDate: string
  goals: string
  plantLimit: string
}

export type NewHuntValues = HuntValues & {
  mother: string
  father: string
  isSelfed: boolean
  generation: string
  seedType: NewHuntCross['seedType']
}

export const emptyHunt: NewHuntValues = {
  huntName: '',
  mother: '',
  father: '',
  isSelfed: false,
  generation: '',
  seedType: 'regular',
  seedCount: '',
  breeders: [],
  growEnvironment: '',
  germinationDate: '',
  goals: '',
  plantLimit: '',
}

export const newHuntFields = Object.keys(emptyHunt) as (keyof NewHuntValues)[]

export const valuesOf = (hunt: Hunt): HuntValues => ({
  huntName: hunt.huntName,
  seedCount: String(hunt.seedCount),
  breeders: hunt.breeders,
  growEnvironment: hunt.growEnvironment,
  germinationDate: hunt.germinationDate ?? '',
  goals: hunt.goals,
  plantLimit: hunt.plantLimit === null ? '' : String(hunt.plantLimit),
})

/** Null for an empty field. An invalid number is NaN, which the schema rejects. */
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const factsOf = (values: HuntValues) => ({
  huntName: values.huntName,
  breeders: values.breeders,
  seedCount: numberOf(values.seedCount) ?? 0,
  growEnvironment: values.growEnvironment,
  germinationDate: values.germinationDate || null,
  goals: values.goals,
  plantLimit: numberOf(values.plantLimit),
})

function crossOf({ mother, father, isSelfed, generation, seedType }: NewHuntValues): NewHuntCross | null {
  const isKnown = [mother, father, generation].some((text) => text.trim() !== '') || isSelfed || seedType !== 'regular'
  return isKnown ? { mother, father: isSelfed ? '' : father, isSelfed, generation, seedType } : null
}

/** By default, a hunt is named after its cross. */
export function nameOfCross({ mother, father, isSelfed }: Pick<NewHuntValues, 'mother' | 'father' | 'isSelfed'>): string {
  const [one, other] = [mother.trim(), father.trim()]
  if (one !== '' && isSelfed) return `${one} S1`
  return [one, other].filter(Boolean).join(' × ')
}

type Check<Values extends object, Output> = (
  values: Values,
  context: unknown,
  options: never,
) => ReturnType<Resolver<Values, unknown, Output>>

const resolverOf = <Values extends HuntValues, Output>(schema: z.ZodMiniType, toInput: (values: Values) => object) => {
  const check = standardSchemaResolver(schema as never) as unknown as Check<object, Output>
  return ((values, context, options) => check(toInput(values), context, options as never)) as Resolver<Values, unknown, Output>
}

export const newHuntResolver = resolverOf<NewHuntValues, NewHunt>(NewHunt, (values) => ({ ...factsOf(values), cross: crossOf(values) }))

const Facts = z.omit(HuntChange, { version: true })
export type HuntFacts = z.infer<typeof Facts>
export const huntFactsResolver = resolverOf<HuntValues, HuntFacts>(Facts, factsOf)
