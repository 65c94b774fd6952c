import { type Control, useController } from 'react-hook-form'
import { TextareaField, TextField } from '../accounts/fields.tsx'
import { BreedersField } from './breeders-field.tsx'
import type { HuntValues } from './hunt-values.ts'

// The control of a form with more fields than these serves as well.
type FactsProps = { control: Control<HuntValues, unknown, unknown> }

const environments = ['Indoor tent', 'Indoor room', 'Greenhouse', 'Outdoor', 'Hydroponic', 'Living soil bed', 'Coco in pots']

/** What a hunt can do without: who bred it, where and since when it grows, what is looked for, and how many plants may live. */
export function HuntFactsFields({ control }: FactsProps) {
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
        hint="What the keeper should be like."
      />
      <TextField
        control={control}
        name="plantLimit"
        label="Plant limit"
        optional
        inputMode="numeric"
        autoComplete="off"
        hint="How many plants may live at once where you grow. Only people you share the hunt with see it."
      />
    </>
  )
}
