import { type Ref, useId } from 'react'
import { type Control, useController } from 'react-hook-form'
import { type ItemField, type MenuField, menuFields, type VariantField } from '#contracts/menu-fields.ts'
import type { MenuSettings } from '#contracts/menus.ts'
import { fieldWords, inStock, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { StrainCombobox } from '#web/entities/strains/strain-combobox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import type { ItemInput, ItemValues } from './item-values.ts'

export type ItemControl = Control<ItemValues, unknown, ItemInput>

type MenuFieldControlProps = {
  control: ItemControl
  name: MenuField
  /** The place of its size; fields of the item have none. */
  size?: number
  settings: MenuSettings | undefined
}

const signs = { USD: '$', CAD: 'CA$', EUR: '€' }

/** The control of one field of an item or a size. */
export function MenuFieldControl({ control, name, size, settings }: MenuFieldControlProps) {
  const path = (size === undefined ? name : `variants.${size}.${name}`) as ItemField | `variants.${number}.${VariantField}`
  const { field, fieldState, formState } = useController({ control, name: path })
  // Adding or removing a size validates all of them.
  const isQuiet = size !== undefined && !fieldState.isTouched && formState.submitCount === 0
  const description: { kind: string; maxLength?: number } = menuFields[name]
  const { kind, maxLength } = description
  const words = fieldWords[name]
  if (kind === 'switch') return <StockSwitch {...field} />
  const label = words.label ?? words.name
  return (
    <Field
      label={kind === 'price' ? `${label} (${signs[settings?.currency ?? 'USD']})` : label}
      optional={words.isOptional}
      error={isQuiet ? undefined : fieldState.error?.message}
    >
      {name === 'strain' ? (
        <StrainCombobox ref={field.ref} value={field.value} onChange={field.onChange} />
      ) : kind === 'choice' ? (
        <Select {...field}>
          <option value="">{menuFields[name].of === 'variant' || name.endsWith('Unit') ? '–' : 'None'}</option>
          {words.choices?.map((choice) => (
            <option key={choice.value} value={choice.label}>
              {choice.label}
            </option>
          ))}
        </Select>
      ) : kind === 'text' && (maxLength ?? 0) > longestLine ? (
        <Textarea rows={3} maxLength={maxLength} {...field} />
      ) : (
        <Input autoComplete="off" maxLength={maxLength} inputMode={kind === 'text' ? undefined : 'decimal'} {...field} />
      )}
    </Field>
  )
}

/** Longer texts get several lines. */
const longestLine = 500

function StockSwitch({ value, onChange, ref }: { value: string; onChange: (text: string) => void; ref: Ref<HTMLInputElement> }) {
  const id = useId()
  return (
    <Switch id={id} ref={ref} checked={value !== outOfStock} onChange={(event) => onChange(event.target.checked ? inStock : outOfStock)}>
      {value === outOfStock ? outOfStock : inStock}
    </Switch>
  )
}
