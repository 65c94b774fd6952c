import { productCategories, strainTypes, weightUnits } from '#contracts/menu-fields.rules.ts'
import { type ItemField, type MenuField, menuFields, type VariantField, type WeightUnit, weightUnitOf } from '#contracts/menu-fields.ts'
import type { MenuFileField } from '#contracts/menu-imports.endpoints.ts'
import { strainTypeWords } from './product-words.ts'

/** In the order of the contract's fields. */
export const menuFieldKeys = Object.keys(menuFields) as readonly MenuField[]
export const itemFieldKeys = menuFieldKeys.filter((key): key is ItemField => menuFields[key].of === 'item')
export const variantFieldKeys = menuFieldKeys.filter((key): key is VariantField => menuFields[key].of === 'variant')

export type Choice = { value: string; label: string }

type Words = {
  name: string
  /** Replaces a name that is too long for the table's header. */
  heading?: string
  /** In pixels. A field without a width is only in the item's form. */
  width?: number
  choices?: readonly Choice[]
  /** Replaces a name that is too long for the form. */
  label?: string
  isOptional?: boolean
}

export const inStock = 'In Stock'
export const outOfStock = 'Out of Stock'

const asChoice = (value: string): Choice => ({ value, label: value })
const potencyChoices: readonly Choice[] = [
  { value: 'percent', label: '%' },
  { value: 'mg', label: 'mg' },
]

export const fieldWords: Record<MenuField, Words> = {
  name: { name: 'Name', width: 248 },
  weight: { name: 'Weight or count', heading: 'Size', width: 76, label: 'Size' },
  weightUnit: { name: 'Unit', width: 84, choices: weightUnits.map(asChoice) },
  price: { name: 'Price', width: 92 },
  salePrice: { name: 'Sale price', heading: 'Sale', width: 84 },
  memberPrice: { name: 'Subscriber price', heading: 'Subscribers', width: 96 },
  isAvailable: { name: 'Availability', heading: 'Stock', width: 128 },
  stock: { name: 'Stock on hand', heading: 'On hand', width: 80, label: 'On hand' },
  category: { name: 'Category', width: 148, choices: productCategories.map(asChoice) },
  subcategory: { name: 'Subcategory', width: 132, isOptional: true },
  strain: { name: 'Strain', width: 160, isOptional: true },
  strainType: { name: 'Strain type', width: 100, choices: strainTypes.map((value) => ({ value, label: strainTypeWords[value] })) },
  brand: { name: 'Brand', width: 148, isOptional: true },
  thc: { name: 'THC', width: 72 },
  thcMax: { name: 'THC up to', heading: 'to', width: 72, label: 'Up to' },
  thcUnit: { name: 'THC unit', width: 92, choices: potencyChoices, label: 'Unit' },
  cbd: { name: 'CBD', width: 72 },
  cbdMax: { name: 'CBD up to', heading: 'to', width: 72, label: 'Up to' },
  cbdUnit: { name: 'CBD unit', width: 92, choices: potencyChoices, label: 'Unit' },
  sku: { name: 'SKU', width: 120 },
  batch: { name: 'Batch', width: 120 },
  saleStarts: { name: 'Sale starts', width: 108 },
  saleEnds: { name: 'Sale ends', width: 108 },
  description: { name: 'Description', isOptional: true },
}

export const fileFieldKeys: readonly MenuFileField[] = [...menuFieldKeys, 'imageUrl', 'isActive', 'isHidden', 'shop']
const otherFieldNames = {
  imageUrl: 'Photo address',
  isActive: 'Published (yes or no)',
  isHidden: 'Hidden (yes or no)',
  shop: 'Shop (name, city or license)',
} as const
export const fileFieldName = (field: MenuFileField): string =>
  field in otherFieldNames ? otherFieldNames[field as keyof typeof otherFieldNames] : fieldWords[field as MenuField].name

export type Column = {
  key: MenuField
  label: string
  kind: (typeof menuFields)[MenuField]['kind']
  width: number
  choices?: readonly Choice[]
}

export const columns: readonly Column[] = (Object.keys(fieldWords) as MenuField[]).flatMap((key) => {
  const { name, heading = name, width, choices = [] } = fieldWords[key]
  return width === undefined ? [] : [{ key, label: heading, kind: menuFields[key].kind, width, choices }]
})
export const columnKeys = columns.map(({ key }) => key)

export const formRows: readonly (readonly ItemField[])[] = [
  ['name'],
  ['brand'],
  ['category'],
  ['subcategory'],
  ['strain'],
  ['strainType'],
  ['thc', 'thcMax', 'thcUnit'],
  ['cbd', 'cbdMax', 'cbdUnit'],
  ['description'],
]
/** In page order, below the size's availability. */
export const sizeFields: readonly VariantField[] = [
  'weight',
  'weightUnit',
  'price',
  'memberPrice',
  'salePrice',
  'saleStarts',
  'saleEnds',
  'stock',
  'batch',
  'sku',
]

export const isItemField = (key: MenuField): key is ItemField => menuFields[key].of === 'item'

export const headingOf = (key: MenuField): string => {
  const { name, heading = name } = fieldWords[key]
  return heading === 'to' ? name : heading
}

/** Formats values as people type them. A quantity of 0 means out of stock, as for shoppers. */
export function cellText(of: Readonly<Partial<Record<MenuField, unknown>>>, key: MenuField): string {
  const stored = of[key] ?? null
  const value = key === 'isAvailable' ? stored && of.stock !== 0 : stored
  if (typeof value === 'boolean') return value ? inStock : outOfStock
  if (value === null) return ''
  return fieldWords[key].choices?.find((choice) => choice.value === value)?.label ?? String(value)
}

export const blankText = (key: MenuField): string => (menuFields[key].kind === 'switch' ? inStock : '')

export type CellValue = { value: string | number | boolean | null } | { error: string }

const yes = /^(in stock|in|yes|y|true|1|available|x|✓)$/i
const no = /^(out of stock|out|no|n|false|0|sold out|unavailable)$/i

/** Also accepts a quantity on hand. Null for any other text. */
export function readStock(text: string): { isAvailable: boolean; onHand: number | null } | null {
  const trimmed = text.trim()
  if (trimmed === '' || yes.test(trimmed)) return { isAvailable: true, onHand: null }
  if (no.test(trimmed)) return { isAvailable: false, onHand: null }
  const onHand = figureOf(trimmed)
  return onHand === null ? null : { isAvailable: onHand > 0, onHand }
}

/** Follows the contract's rules. Empty text means unspecified, where allowed. */
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
  if (kind === 'switch') return readStock(text)?.isAvailable ?? { error: `Enter ${inStock}, ${outOfStock} or a quantity` }
  // Validating '' against the contract gives a required field's error message.
  if (text === '') return isRequired ? '' : null
  if (kind === 'price') return plainFigure(text)
  if (kind === 'date') {
    const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
    return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
  }
  if (key in potencyUnitOf && /(?<!m)g$|ml$|oz$/i.test(text)) return { error: 'Must be a number in % or mg' }
  if (kind === 'number') {
    return (key === 'weight' ? fractionOf(text) : null) ?? figureOf(text) ?? { error: 'Must be a number' }
  }
  if (kind === 'choice') {
    const wanted = text.toLowerCase()
    const { name, choices } = fieldWords[key]
    const found = choices?.find((choice) => [choice.value.toLowerCase(), choice.label.toLowerCase()].includes(wanted))
    return found?.value ?? (key === 'weightUnit' ? weightUnitOf(text) : undefined) ?? { error: `${name}: choose from the list` }
  }
  return text
}

/** Cleans up figures pasted from spreadsheets: "$1,250.50" and "24.1 %" → "1250.50", "24.1". */
const plainFigure = (text: string): string =>
  text
    .replace(/^(US\$|CA\$|\$|€)\s*/, '')
    .replace(/\s*(€|%|mg|g|ml|oz)$/i, '')
    .replace(/,(?=\d{3}(\D|$))/g, '')

/** The parts of a size with its unit: "3.5g", "1/8 oz", "20-pack" or "each". Null for any other text. */
export function sizeOf(text: string): { weight: string; weightUnit: WeightUnit } | null {
  const [, weight = '', name = ''] = /^([\d.,/]*)[\s-]*([a-z][a-z. ]*)$/i.exec(text.trim()) ?? []
  const weightUnit = weightUnitOf(name)
  return weightUnit ? { weight: weight || '1', weightUnit } : null
}

export const potencyUnitOf: Partial<Record<MenuField, 'thcUnit' | 'cbdUnit'>> = {
  thc: 'thcUnit',
  thcMax: 'thcUnit',
  cbd: 'cbdUnit',
  cbdMax: 'cbdUnit',
}

/** The parts of a potency with its unit: "24.1%" or "10 mg". Null for any other text. */
export function potencyOf(text: string): { figure: string; unit: string } | null {
  const [, figure = '', unit = ''] = /^([\d.,]+)\s*(%|mg)$/i.exec(text.trim()) ?? []
  return figure === '' ? null : { figure, unit: unit.toLowerCase() }
}

/** "1/8" → 0.125. Null for any other text. */
function fractionOf(text: string): number | null {
  const [, part = '', whole = ''] = /^(\d+)\s*\/\s*([1-9]\d*)$/.exec(plainFigure(text)) ?? []
  return whole === '' ? null : Number(part) / Number(whole)
}

function figureOf(text: string): number | null {
  const figure = plainFigure(text)
  return /^\d*\.?\d+$|^\d+\.$/.test(figure) ? Number(figure) : null
}
