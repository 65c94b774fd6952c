import { type FieldErrors, type Resolver, set } from 'react-hook-form'
import { Price } from '#contracts/fields.ts'
import type { ItemField, MenuField, VariantField } from '#contracts/menu-fields.ts'
import type { MenuItem, NewMenuItem } from '#contracts/menus.ts'
import { firstVariant, isNewRow, type RowEdit, shownText, shownVariants } from '#web/entities/menus/menu-edits.ts'
import { blankText, itemFieldKeys, readCell, variantFieldKeys } from '#web/entities/menus/menu-fields.ts'

export type OfferValues = { locationId: string; isOffered: boolean; price: string; salePrice: string; stock: '' | 'in' | 'out' }

export type SizeValues = Record<VariantField, string> & {
  /** Empty for a new one. */
  id: string
  /** Exceptions by location. */
  offers: OfferValues[]
}

export type ItemValues = Record<ItemField, string> & {
  /** Empty if there is none. */
  imageId: string
  certificateId: string
  variants: SizeValues[]
}

const texts = <Key extends MenuField>(keys: readonly Key[], textOf: (key: Key) => string) =>
  Object.fromEntries(keys.map((key) => [key, textOf(key)])) as Record<Key, string>

/** A new size in the unit of the last one. */
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
/** What the form sends. Existing sizes have their ID. */
export type ItemInput = Omit<NewMenuItem, 'variants'> & { variants: (NewVariant & { id?: string })[] }

/** The form hides the days of a sale that has no price. */
const withoutIdleDays = (size: SizeValues): SizeValues => (size.salePrice.trim() ? size : { ...size, saleStarts: '', saleEnds: '' })

/** Parses form values with the same readers as table cells, by the contract's rules. */
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
  const item = read(itemFieldKeys, values, '')
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
      ...(read(variantFieldKeys, withoutIdleDays(size), path) as Pick<NewVariant, VariantField>),
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

export const itemResolver: Resolver<ItemValues, unknown, ItemInput> = (values) => {
  const read = readItem(values)
  if ('item' in read) return { values: read.item, errors: {} }
  const errors: FieldErrors<ItemValues> = {}
  for (const [path, message] of Object.entries(read.errors)) set(errors, path, { type: 'validate', message })
  return { values: {}, errors }
}
