import type { MenuItemChange, NewMenuItem } from '#contracts/menus.ts'
import { parseCents } from '#contracts/money.ts'
import type { ItemRow } from './product-rows.queries.ts'

export type FieldErrors = Record<string, string>

export function withChange(row: ItemRow, change: MenuItemChange): ItemRow {
  const { price, memberPrice, potencyUnit, weightUnit, certificateId, imageId, isAvailable } = change
  return {
    ...row,
    ...pick(change, ['name', 'category', 'thc', 'cbd', 'weight']),
    ...textOrNull(change, ['sku', 'description', 'strain', 'brand', 'batch']),
    ...(price === undefined ? {} : { price_cents: parseCents(price) }),
    ...(memberPrice === undefined ? {} : { member_price_cents: memberPrice === null ? null : parseCents(memberPrice) }),
    ...(potencyUnit === undefined ? {} : { potency_unit: potencyUnit }),
    ...(weightUnit === undefined ? {} : { weight_unit: weightUnit }),
    ...(certificateId === undefined ? {} : { certificate_id: certificateId }),
    ...(imageId === undefined ? {} : { image_id: imageId }),
    ...(isAvailable === undefined ? {} : { is_available: isAvailable }),
  }
}

export const newRow = (id: string, input: NewMenuItem): ItemRow => withChange(emptyRow(id), input)

export const itemWords = ({ name, description, strain, brand, batch }: ItemRow) => ({ name, description, strain, brand, batch })

export const emptyRow = (id: string): ItemRow => ({
  id,
  name: '',
  sku: null,
  price_cents: 0,
  member_price_cents: null,
  description: null,
  category: null,
  strain: null,
  brand: null,
  thc: null,
  cbd: null,
  potency_unit: null,
  weight: null,
  weight_unit: null,
  batch: null,
  certificate_id: null,
  image_id: null,
  is_available: true,
})

type Picked = Pick<MenuItemChange, 'name' | 'category' | 'thc' | 'cbd' | 'weight'>
function pick(change: MenuItemChange, names: readonly (keyof Picked)[]): Partial<ItemRow> {
  return Object.fromEntries(names.filter((name) => change[name] !== undefined).map((name) => [name, change[name]]))
}

type Text = 'sku' | 'description' | 'strain' | 'brand' | 'batch'
/** Converts empty strings to null. */
function textOrNull(change: MenuItemChange, names: readonly Text[]): Partial<ItemRow> {
  return Object.fromEntries(names.filter((name) => change[name] !== undefined).map((name) => [name, change[name] || null]))
}

const percentFields = ['thc', 'cbd'] as const

export function checkTogether(row: ItemRow): FieldErrors {
  const errors: FieldErrors = {}
  if (row.potency_unit === 'percent') {
    for (const field of percentFields) if ((row[field] ?? 0) > 100) errors[field] = 'At most 100 percent'
  }
  return errors
}
