import { type MenuItem, MenuItemChange, productCategories, weightUnits } from '#contracts/menus.ts'

export const columnKeys = [
  'name',
  'isAvailable',
  'price',
  'memberPrice',
  'category',
  'strain',
  'brand',
  'weight',
  'weightUnit',
  'thc',
  'cbd',
  'potencyUnit',
  'sku',
  'batch',
] as const
/** A field editable in the table. The item's form has the others. */
export type ColumnKey = (typeof columnKeys)[number]
export type Choice = { value: string; label: string }

export type Column = {
  key: ColumnKey
  label: string
  kind: 'text' | 'price' | 'number' | 'choice' | 'switch'
  /** In pixels. */
  width: number
  choices?: readonly Choice[]
}

export const inStock = 'In Stock'
export const outOfStock = 'Out of Stock'

const asChoice = (value: string): Choice => ({ value, label: value })

export const columns: readonly Column[] = [
  { key: 'name', label: 'Name', kind: 'text', width: 240 },
  { key: 'isAvailable', label: 'Stock', kind: 'switch', width: 128 },
  { key: 'price', label: 'Price', kind: 'price', width: 96 },
  { key: 'memberPrice', label: 'Subscribers', kind: 'price', width: 96 },
  { key: 'category', label: 'Category', kind: 'choice', width: 148, choices: productCategories.map(asChoice) },
  { key: 'strain', label: 'Strain', kind: 'text', width: 160 },
  { key: 'brand', label: 'Brand', kind: 'text', width: 148 },
  { key: 'weight', label: 'Weight', kind: 'number', width: 88 },
  {
    key: 'weightUnit',
    label: 'Unit',
    kind: 'choice',
    width: 88,
    choices: weightUnits.map(asChoice),
  },
  { key: 'thc', label: 'THC', kind: 'number', width: 80 },
  { key: 'cbd', label: 'CBD', kind: 'number', width: 80 },
  {
    key: 'potencyUnit',
    label: 'Potency unit',
    kind: 'choice',
    width: 108,
    choices: [
      { value: 'percent', label: '%' },
      { value: 'mg', label: 'mg' },
    ],
  },
  { key: 'sku', label: 'SKU', kind: 'text', width: 120 },
  { key: 'batch', label: 'Batch', kind: 'text', width: 120 },
]

export const columnOf = (key: ColumnKey): Column => columns.find((column) => column.key === key) as Column

/** A cell's text, in the form it can be typed. */
export function cellText(item: MenuItem, key: ColumnKey): string {
  const value = item[key]
  if (typeof value === 'boolean') return value ? inStock : outOfStock
  if (value === null) return ''
  return columnOf(key).choices?.find((choice) => choice.value === value)?.label ?? String(value)
}

export const blankText = (key: ColumnKey): string => (key === 'isAvailable' ? inStock : '')

export type CellValue = { value: string | number | boolean | null } | { error: string }

const yes = /^(in stock|in|yes|y|true|1|available|x|✓)$/i
const no = /^(out of stock|out|no|n|false|0|sold out|unavailable)$/i

/** Parses a cell's text by the contract's rules; empty means unspecified where allowed. */
export function readCell(key: ColumnKey, text: string): CellValue {
  const trimmed = text.trim()
  const given = meaningOf(columnOf(key), trimmed)
  if (typeof given === 'object' && given !== null) return given
  const checked = MenuItemChange.shape[key].safeParse(given)
  if (!checked.success) return { error: checked.error.issues[0]?.message ?? 'Not valid' }
  return { value: checked.data ?? null }
}

function meaningOf({ key, kind, label, choices }: Column, text: string): string | number | boolean | null | { error: string } {
  if (kind === 'switch') {
    if (text === '' || yes.test(text)) return true
    return no.test(text) ? false : { error: `Enter ${inStock} or ${outOfStock}` }
  }
  // Name and price are required; the contract has the error messages.
  if (text === '') return key === 'name' || key === 'price' ? '' : null
  if (kind === 'price') return plainFigure(text)
  if (kind === 'number') {
    const figure = plainFigure(text)
    return /^\d*\.?\d+$|^\d+\.$/.test(figure) ? Number(figure) : { error: 'Must be a number' }
  }
  if (kind === 'choice') {
    const wanted = text.toLowerCase()
    const found = choices?.find((choice) => [choice.value.toLowerCase(), choice.label.toLowerCase()].includes(wanted))
    return found?.value ?? { error: `${label}: choose from the list` }
  }
  return text
}

/** Cleans up figures pasted from spreadsheets: "$1,250.50" and "24.1 %" → "1250.50", "24.1". */
const plainFigure = (text: string): string =>
  text
    .replace(/^(US\$|CA\$|\$|€)\s*/, '')
    .replace(/\s*(€|%|mg|g|ml|oz)$/i, '')
    .replace(/,(?=\d{3}(\D|$))/g, '')
