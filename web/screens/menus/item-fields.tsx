import { Plus, X } from 'lucide-react'
import type { Ref } from 'react'
import { type Control, type FieldErrors, type Resolver, set, useController, useFieldArray, useWatch } from 'react-hook-form'
import { Price } from '#contracts/fields.ts'
import { maxVariants } from '#contracts/limits.ts'
import type { Location } from '#contracts/locations.ts'
import { packLabel } from '#contracts/menu-fields.rules.ts'
import { type ItemField, type MenuField, menuFields, type VariantField } from '#contracts/menu-fields.ts'
import type { MenuItem, MenuSettings, NewMenuItem } from '#contracts/menus.ts'
import { firstVariant, isNewRow, type RowEdit, shownText, shownVariants } from '#web/entities/menus/menu-edits.ts'
import {
  blankText,
  fieldWords,
  inStock,
  itemFieldKeys,
  outOfStock,
  potencyOf,
  potencyUnitOf,
  readCell,
  sizeFields,
  sizeOf,
  variantFieldKeys,
} from '#web/entities/menus/menu-fields.ts'
import { StrainCombobox } from '#web/entities/strains/strain-combobox.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'

type SizesFieldProps = { control: ItemControl; settings: MenuSettings | undefined }

export function SizesField({ control, settings }: SizesFieldProps) {
  const { fields, append, remove } = useFieldArray({ control, name: 'variants', keyName: 'key' })
  const sizes = useWatch({ control, name: 'variants' })
  const tax = settings && (settings.pricesIncludeTax ? 'Prices include tax. ' : 'Prices don’t include tax. ')
  return (
    <FieldGroup legend="Sizes and prices" hint={`${tax ?? ''}Imports match sizes by SKU.`}>
      <ul className="grid gap-3">
        {fields.map(({ key }, place) => (
          <li key={key} className="rounded-input border border-line p-3 sm:p-4">
            <div className="mb-2 flex min-h-8 items-center justify-between gap-3">
              <h3 className="font-medium font-text text-sm">{sizeName(sizes[place]) ?? `Size ${place + 1}`}</h3>
              <span className="ml-auto">
                <MenuFieldControl control={control} name="isAvailable" size={place} settings={settings} />
              </span>
              {fields.length > 1 && (
                <IconButton
                  label={`Remove ${sizeName(sizes[place]) ?? `size ${place + 1}`}`}
                  size="sm"
                  className="-mr-1.5"
                  onClick={() => remove(place)}
                >
                  <X aria-hidden="true" />
                </IconButton>
              )}
            </div>
            <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
              {sizeFields
                .filter((name) => !isSaleDay(name) || sizes[place]?.salePrice.trim())
                .map((name) => (
                  <MenuFieldControl key={name} control={control} name={name} size={place} settings={settings} />
                ))}
            </div>
          </li>
        ))}
      </ul>
      {fields.length < maxVariants && (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          onClick={() => append(blankSize(sizes.at(-1)?.weightUnit), { focusName: `variants.${fields.length}.weight` })}
        >
          <Plus aria-hidden="true" />
          Add a size
        </Button>
      )}
    </FieldGroup>
  )
}

const isSaleDay = (name: VariantField) => name === 'saleStarts' || name === 'saleEnds'

function sizeName(size: SizeValues | undefined): string | null {
  if (!size?.weight.trim()) return null
  const { weight, weightUnit } = sizeOf(size.weight) ?? size
  return weightUnit === 'piece' && Number(weight) > 0 ? packLabel(Number(weight)) : `${weight.trim()} ${weightUnit}`.trim()
}

type OffersFieldProps = { control: ItemControl; locations: readonly Location[] }

export function OffersField({ control, locations }: OffersFieldProps) {
  const sizes = useWatch({ control, name: 'variants' })
  return (
    <FieldGroup
      legend="By location"
      hint="Fill in only what differs at a location. Empty fields use the values above. A sale runs on the same days everywhere."
    >
      <ul className="grid gap-2">
        {locations.map(({ id, name }) => (
          <li key={id} className="grid gap-3 rounded-input border border-line p-3">
            {sizes.length > 1 && <h3 className="font-medium font-text text-sm wrap-anywhere">{name}</h3>}
            {sizes.map((size, place) => (
              <OfferRow
                // biome-ignore lint/suspicious/noArrayIndexKey: the form identifies sizes by index
                key={place}
                control={control}
                locationId={id}
                place={place}
                size={size}
                label={sizes.length > 1 ? (sizeName(size) ?? `Size ${place + 1}`) : name}
              />
            ))}
          </li>
        ))}
      </ul>
    </FieldGroup>
  )
}

type OfferRowProps = { control: ItemControl; locationId: string; place: number; size: SizeValues; label: string }

function OfferRow({ control, locationId, place, size, label }: OfferRowProps) {
  const { field, formState } = useController({ control, name: `variants.${place}.offers` })
  const index = field.value.findIndex((each) => each.locationId === locationId)
  const offer: OfferValues = field.value[index] ?? { locationId, isOffered: true, price: '', salePrice: '', stock: '' }
  const errors = index === -1 ? undefined : formState.errors.variants?.[place]?.offers?.[index]
  const change = (part: Partial<OfferValues>) => {
    const next = { ...offer, ...part }
    field.onChange(index === -1 ? [...field.value, next] : field.value.with(index, next))
  }
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-[minmax(0,1fr)_7rem_7rem_9rem] sm:items-start">
      <Checkbox
        checked={offer.isOffered}
        onChange={(event) => change({ isOffered: event.target.checked })}
        className="max-sm:col-span-2 sm:pt-7"
      >
        <span className="font-medium wrap-anywhere">{label}</span>
        <span className="block text-muted text-sm">{offer.isOffered ? 'On its menu' : 'Not on its menu'}</span>
      </Checkbox>
      {offer.isOffered && (
        <>
          {(['price', 'salePrice'] as const).map((key) => (
            <Field key={key} label={key === 'price' ? 'Price' : 'Sale price'} error={errors?.[key]?.message}>
              <Input
                value={offer[key]}
                placeholder={size[key] || (key === 'price' ? 'As above' : undefined)}
                inputMode="decimal"
                autoComplete="off"
                onChange={(event) => change({ [key]: event.target.value })}
              />
            </Field>
          ))}
          <Field label="Stock" className="max-sm:col-span-2">
            <Select value={offer.stock} onChange={(event) => change({ stock: event.target.value as OfferValues['stock'] })}>
              <option value="">As above</option>
              <option value="in">{inStock}</option>
              <option value="out">{outOfStock}</option>
            </Select>
          </Field>
        </>
      )}
    </div>
  )
}

type ItemControl = Control<ItemValues, unknown, ItemInput>

type MenuFieldControlProps = {
  control: ItemControl
  name: MenuField
  size?: number
  settings: MenuSettings | undefined
}

const signs = { USD: '$', CAD: 'CA$', EUR: '€' }

export function MenuFieldControl({ control, name, size, settings }: MenuFieldControlProps) {
  const path = (size === undefined ? name : `variants.${size}.${name}`) as ItemField | `variants.${number}.${VariantField}`
  const { field, fieldState, formState } = useController({ control, name: path })
  // Adding or removing a size validates every size, so untouched fields don't show their errors.
  const isQuiet = size !== undefined && !fieldState.isTouched && formState.submitCount === 0
  const description: { kind: string; maxLength?: number } = menuFields[name]
  const { kind, maxLength } = description
  const words = fieldWords[name]
  if (kind === 'switch') return <StockCheckbox {...field} />
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
        <Input
          type={kind === 'date' ? 'date' : undefined}
          autoComplete="off"
          maxLength={maxLength}
          inputMode={kind === 'text' || kind === 'date' ? undefined : 'decimal'}
          {...field}
        />
      )}
    </Field>
  )
}

/** In characters. Fields with a higher limit get several lines. */
const longestLine = 500

function StockCheckbox({ value, onChange, ref }: { value: string; onChange: (text: string) => void; ref: Ref<HTMLInputElement> }) {
  return (
    <Checkbox ref={ref} checked={value !== outOfStock} onChange={(event) => onChange(event.target.checked ? inStock : outOfStock)}>
      {inStock}
    </Checkbox>
  )
}

type OfferValues = { locationId: string; isOffered: boolean; price: string; salePrice: string; stock: '' | 'in' | 'out' }

type SizeValues = Record<VariantField, string> & {
  id: string
  /** Where a location's price or availability differs. */
  offers: OfferValues[]
}

export type ItemValues = Record<ItemField, string> & {
  imageId: string
  certificateId: string
  variants: SizeValues[]
}

const texts = <Key extends MenuField>(keys: readonly Key[], textOf: (key: Key) => string) =>
  Object.fromEntries(keys.map((key) => [key, textOf(key)])) as Record<Key, string>

/** The form passes the last size's unit. */
export const blankSize = (weightUnit = ''): SizeValues => ({ id: '', ...texts(variantFieldKeys, blankText), weightUnit, offers: [] })

export const blankItem: ItemValues = { ...texts(itemFieldKeys, blankText), imageId: '', certificateId: '', variants: [blankSize()] }

export const valuesOfItem = (item: MenuItem, edit?: RowEdit): ItemValues => ({
  ...texts(itemFieldKeys, (key) => shownText(edit, item, key, firstVariant)),
  imageId: item.image?.id ?? '',
  certificateId: item.certificateId ?? '',
  variants: shownVariants(edit, item).map((variant) => ({
    id: isNewRow(variant) ? '' : variant,
    ...texts(variantFieldKeys, (key) => shownText(edit, item, key, variant)),
    offers: offersOf(item, variant),
  })),
})

const offersOf = (item: MenuItem, variant: string): OfferValues[] =>
  (item.variants.find(({ id }) => id === variant)?.offers ?? []).map(({ locationId, isOffered, price, salePrice, isAvailable }) => ({
    locationId,
    isOffered,
    price: price ?? '',
    salePrice: salePrice ?? '',
    stock: isAvailable === null ? '' : isAvailable ? 'in' : 'out',
  }))

type NewVariant = NewMenuItem['variants'][number]
/** A size without an ID is new. */
export type ItemInput = Omit<NewMenuItem, 'variants'> & { variants: (NewVariant & { id?: string })[] }

/** Without a sale price, the form hides the sale's days. */
const withoutIdleDays = (size: SizeValues): SizeValues => (size.salePrice.trim() ? size : { ...size, saleStarts: '', saleEnds: '' })

/** A potency typed with its unit sets the unit, too. */
const typedPotencies = (values: ItemValues): Partial<Record<ItemField, string>> =>
  Object.assign(
    {},
    ...itemFieldKeys.map((key) => {
      const [unitKey, potency] = [potencyUnitOf[key], potencyOf(values[key])]
      return unitKey && potency && { [key]: potency.figure, [unitKey]: potency.unit }
    }),
  )

/** Reads each field as the table reads its cells. */
export const readItem = (values: ItemValues): { item: ItemInput } | { errors: Record<string, string> } => {
  const errors: Record<string, string> = {}
  function read<Key extends MenuField>(keys: readonly Key[], from: Record<Key, string>, path: string): Record<string, unknown> {
    const parsed: Record<string, unknown> = {}
    for (const key of keys) {
      const cell = readCell(key, from[key])
      if ('error' in cell) errors[path + key] = cell.error
      else parsed[key] = cell.value
    }
    return parsed
  }
  function readPrice(text: string, path: string): string | null {
    const price = text.trim()
    if (price !== '' && !Price.safeParse(price).success) errors[path] = 'Enter a price such as 12.50'
    return price || null
  }
  const item = read(itemFieldKeys, { ...values, ...typedPotencies(values) }, '')
  const variants = values.variants.map((size, place) => {
    const path = `variants.${place}.`
    const offers = size.offers.flatMap(({ locationId, isOffered, price, salePrice, stock }, index) => {
      const own = {
        price: readPrice(price, `${path}offers.${index}.price`),
        salePrice: readPrice(salePrice, `${path}offers.${index}.salePrice`),
        isAvailable: stock === '' ? null : stock === 'in',
      }
      if (isOffered && own.price === null && own.salePrice === null && own.isAvailable === null) return []
      return [{ locationId, isOffered, ...own }]
    })
    return {
      ...(size.id && { id: size.id }),
      ...(read(variantFieldKeys, { ...withoutIdleDays(size), ...sizeOf(size.weight) }, path) as Pick<NewVariant, VariantField>),
      offers,
    }
  })
  if (Object.keys(errors).length > 0) return { errors }
  return {
    item: {
      ...(item as Pick<NewMenuItem, ItemField>),
      imageId: values.imageId || null,
      certificateId: values.certificateId || null,
      variants,
    },
  }
}

/** Omits files that the form didn't change: the point of sale may have added or replaced a picture since the form was opened. */
export function withoutOpenedFiles({ imageId, certificateId, ...item }: ItemInput, opened: ItemValues) {
  return {
    ...item,
    ...(imageId !== (opened.imageId || null) && { imageId }),
    ...(certificateId !== (opened.certificateId || null) && { certificateId }),
  }
}

export const itemResolver: Resolver<ItemValues, unknown, ItemInput> = (values) => {
  const read = readItem(values)
  if ('item' in read) return { values: read.item, errors: {} }
  const errors: FieldErrors<ItemValues> = {}
  for (const [path, message] of Object.entries(read.errors)) set(errors, path, { type: 'validate', message })
  return { values: {}, errors }
}
