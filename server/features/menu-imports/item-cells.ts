import type { MenuFileField } from '#contracts/menu-imports.ts'
import { formatCents } from '#contracts/money.ts'
import type { ItemRow } from '#server/features/menus/index.ts'

const orEmpty = (value: string | number | null): string => (value === null ? '' : String(value))

export const itemCells: Readonly<Record<MenuFileField, (item: ItemRow) => string>> = {
  sku: (item) => orEmpty(item.sku),
  name: (item) => item.name,
  category: (item) => orEmpty(item.category),
  strain: (item) => orEmpty(item.strain),
  brand: (item) => orEmpty(item.brand),
  price: (item) => formatCents(item.price_cents),
  memberPrice: (item) => (item.member_price_cents === null ? '' : formatCents(item.member_price_cents)),
  description: (item) => orEmpty(item.description),
  thc: (item) => orEmpty(item.thc),
  cbd: (item) => orEmpty(item.cbd),
  potencyUnit: (item) => orEmpty(item.potency_unit),
  weight: (item) => orEmpty(item.weight),
  weightUnit: (item) => orEmpty(item.weight_unit),
  batch: (item) => orEmpty(item.batch),
  isAvailable: (item) => (item.is_available ? 'yes' : 'no'),
}
