import type { Resolver } from 'react-hook-form'
import { Price } from '#contracts/fields.ts'
import type { MenuField } from '#contracts/menu-fields.ts'
import type { MenuItem, NewMenuItem } from '#contracts/menus.ts'
import { type RowEdit, shownText } from '#web/entities/menus/menu-edits.ts'
import { blankText, menuFieldKeys, readCell } from '#web/entities/menus/menu-fields.ts'

export type OfferValues = { locationId: string; isOffered: boolean; price: string; stock: '' | 'in' | 'out' }

export type ItemValues = Record<MenuField, string> & {
  /** Empty if there is none. */
  imageId: string
  certificateId: string
  /** Exceptions by location. */
  offers: OfferValues[]
}

const texts = (textOf: (key: MenuField) => string) =>
  Object.fromEntries(menuFieldKeys.map((key) => [key, textOf(key)])) as Record<MenuField, string>

export const blankItem: ItemValues = { ...texts(blankText), imageId: '', certificateId: '', offers: [] }

export const valuesOfItem = (item: MenuItem, edit?: RowEdit): ItemValues => ({
  ...texts((key) => shownText(edit, item, key)),
  imageId: item.image?.id ?? '',
  certificateId: item.certificateId ?? '',
  offers: item.offers.map(({ locationId, isOffered, price, isAvailable }) => ({
    locationId,
    isOffered,
    price: price ?? '',
    stock: isAvailable === null ? '' : isAvailable ? 'in' : 'out',
  })),
})

/** Parses form values with the same readers as table cells, by the contract's rules. */
export const readItem = (values: ItemValues): { item: NewMenuItem } | { errors: Record<string, string> } => {
  const item: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const key of menuFieldKeys) {
    const read = readCell(key, values[key])
    if ('error' in read) errors[key] = read.error
    else item[key] = read.value
  }
  const offers = values.offers.flatMap(({ locationId, isOffered, price, stock }, index) => {
    const own = price.trim()
    if (own !== '' && !Price.safeParse(own).success) errors[`offers.${index}.price`] = 'Enter a price such as 12.50'
    if (isOffered && own === '' && stock === '') return []
    return [{ locationId, isOffered, price: own || null, isAvailable: stock === '' ? null : stock === 'in' }]
  })
  if (Object.keys(errors).length > 0) return { errors }
  return {
    item: {
      ...(item as Pick<NewMenuItem, MenuField>),
      imageId: values.imageId || null,
      certificateId: values.certificateId || null,
      offers,
    },
  }
}

export const itemResolver: Resolver<ItemValues, unknown, NewMenuItem> = (values) => {
  const read = readItem(values)
  if ('item' in read) return { values: read.item, errors: {} }
  const errors: Record<string, unknown> = {}
  for (const [path, message] of Object.entries(read.errors)) {
    const [, index] = /^offers\.(\d+)/.exec(path) ?? []
    if (index === undefined) errors[path] = { type: 'validate', message }
    else errors.offers = Object.assign(errors.offers ?? [], { [index]: { price: { type: 'validate', message } } })
  }
  return { values: {}, errors: errors as never }
}
