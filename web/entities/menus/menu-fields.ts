import { productCategories, weightUnits } from '#contracts/menu-fields.rules.ts'
import { type MenuField, menuFields } from '#contracts/menu-fields.ts'
import type { MenuItem } from '#contracts/menus.ts'

export type Choice = { value: string; label: string }

/** In the order of a file's columns. */
export const menuFieldKeys = Object.keys(menuFields) as readonly MenuField[]

type Words = {
  name: string
  /** Replaces a name that is too long for the table's header. */
  heading?: string
  /** In the table, in pixels; without it, only the item's form has the field. */
  width?: number
  choices?: readonly Choice[]
  /** The form's label, if the name is too long beside other fields. */
  label?: string
  hint?: string
  /** The form marks it as optional. */
  isOptional?: boolean
}

export const inStock = 'In Stock'
export const outOfStock = 'Out of Stock'

const asChoice = (value: string): Choice => ({ value, label: value })

/** A menu's fields on screens, in the order of the table's columns. */
export const fieldWords: Record<MenuField, Words> = {
  name: { name: 'Name', width: 240 },
  isAvailable: { name: 'Stock', width: 128 },
  price: { name: 'Price', width: 96 },
  memberPrice: { name: 'Subscriber price', heading: 'Subscribers', width: 96, hint: 'For subscribers', isOptional: true },
  category: { name: 'Category', width: 148, choices: productCategories.map(asChoice) },
  strain: { name: 'Strain', width: 160, isOptional: true },
  brand: { name: 'Brand', width: 148, isOptional: true },
  weight: { name: 'Weight or count', heading: 'Weight', width: 88, isOptional: true },
  weightUnit: { name: 'Unit', width: 88, choices: weightUnits.map(asChoice) },
  thc: { name: 'THC', width: 80 },
  cbd: { name: 'CBD', width: 80 },
  potencyUnit: {
    name: 'Potency unit',
    width: 108,
    choices: [
      { value: 'percent', label: '%' },
      { value: 'mg', label: 'mg' },
    ],
    label: 'Unit',
  },
  sku: { name: 'SKU', width: 120, hint: 'Your own number. Imports use it to find the item.', isOptional: true },
  batch: { name: 'Batch', width: 120, isOptional: true },
  description: { name: 'Description', isOptional: true },
}

export type Column = {
  key: MenuField
  label: string
  kind: (typeof menuFields)[MenuField]['kind']
  width: number
  choices?: readonly Choice[]
}

/** The fields that can be edited in the table. */
export const columns: readonly Column[] = (Object.keys(fieldWords) as MenuField[]).flatMap((key) => {
  const { name, heading = name, width, choices = [] } = fieldWords[key]
  return width === undefined ? [] : [{ key, label: heading, kind: menuFields[key].kind, width, choices }]
})
export const columnKeys = columns.map(({ key }) => key)

/** The form's rows. A row of several fields shares its space. */
export const formRows: readonly (readonly MenuField[])[] = [
  ['name'],
  ['category'],
  ['isAvailable'],
  ['price'],
  ['memberPrice'],
  ['strain'],
  ['brand'],
  ['weight', 'weightUnit'],
  ['thc', 'cbd', 'potencyUnit'],
  ['description'],
]
/** Below picture and certificate. */
export const formDetails: readonly MenuField[] = ['batch', 'sku']

/** In page order. */
export const itemFields = [...formRows.flat(), ...formDetails]

export const headingOf = (key: MenuField): string => fieldWords[key].heading ?? fieldWords[key].name

/** A cell's text, in the form it can be typed. */
export function cellText(item: MenuItem, key: MenuField): string {
  const value = item[key]
  if (typeof value === 'boolean') return value ? inStock : outOfStock
  if (value === null) return ''
  return fieldWords[key].choices?.find((choice) => choice.value === value)?.label ?? String(value)
}

export const blankText = (key: MenuField): string => (menuFields[key].kind === 'switch' ? inStock : '')

export type CellValue = { value: string | number | boolean | null } | { error: string }

const yes = /^(in stock|in|yes|y|true|1|available|x|✓)$/i
const no = /^(out of stock|out|no|n|false|0|sold out|unavailable)$/i

/** Parses a cell's text by the contract's rules; empty means unspecified where allowed. */
export function readCell(key: MenuField, text: string): CellValue {
  const trimmed = text.trim()
  const given = meaningOf(key, trimmed)
  if (typeof given === 'object' && given !== null) return given
  const checked = menuFields[key].change.safeParse(given)
  if (!checked.success) return { error: checked.error.issues[0]?.message ?? 'Not valid' }
  return { value: checked.data ?? null }
}

function meaningOf(key: MenuField, text: string): string | number | boolean | null | { error: string } {
  const { kind, isRequired } = menuFields[key]
  if (kind === 'switch') {
    if (text === '' || yes.test(text)) return true
    return no.test(text) ? false : { error: `Enter ${inStock} or ${outOfStock}` }
  }
  // The contract has the error messages of required fields.
  if (text === '') return isRequired ? '' : null
  if (kind === 'price') return plainFigure(text)
  if (kind === 'number') {
    const figure = plainFigure(text)
    return /^\d*\.?\d+$|^\d+\.$/.test(figure) ? Number(figure) : { error: 'Must be a number' }
  }
  if (kind === 'choice') {
    const wanted = text.toLowerCase()
    const { name, choices } = fieldWords[key]
    const found = choices?.find((choice) => [choice.value.toLowerCase(), choice.label.toLowerCase()].includes(wanted))
    return found?.value ?? { error: `${name}: choose from the list` }
  }
  return text
}

/** Cleans up figures pasted from spreadsheets: "$1,250.50" and "24.1 %" → "1250.50", "24.1". */
const plainFigure = (text: string): string =>
  text
    .replace(/^(US\$|CA\$|\$|€)\s*/, '')
    .replace(/\s*(€|%|mg|g|ml|oz)$/i, '')
    .replace(/,(?=\d{3}(\D|$))/g, '')
