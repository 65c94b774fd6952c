import type { SyncedItem } from '#contracts/integrations.endpoints.ts'
import { formatCents } from '#contracts/money.rules.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { decodeMenuCursor, itemsById, keyOfItem, menuItemsPage, type StoredItem } from '#server/features/menus/index.ts'
import { type Page, toPage } from '#server/kernel/keyset.ts'

/** A page of the menu for its point of sale, including items that moderators hid. */
export async function readSyncedMenu(
  db: Db,
  businessId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<SyncedItem>> {
  const after = decodeMenuCursor(cursor)
  const keys = await menuItemsPage(db, businessId, {}, { after, limit: limit + 1, isForEditors: true }).execute()
  const { items, nextCursor } = toPage(keys, limit, keyOfItem)
  return { items: (await itemsById(db, idsOf(items))).map(toSyncedItem), nextCursor }
}

const units = { percent: '%', mg: 'mg' } as const

const toSyncedItem = (item: StoredItem): SyncedItem => ({
  productId: item.id,
  id: item.external_id,
  name: item.name,
  type: item.category,
  brand: item.brand,
  strain: item.strain,
  strainType: item.strain_type,
  description: item.description,
  isActive: item.variants.some(({ is_available }) => is_available),
  cannabinoids: (['thc', 'cbd'] as const).flatMap((field) => {
    const [min, max, unit] = [item[field], item[`${field}_max`], item[`${field}_unit`]]
    return min === null ? [] : [{ name: field === 'thc' ? 'THC' : 'CBD', min, max, unit: unit && units[unit] }]
  }),
  variants: item.variants.map((variant) => ({
    id: variant.external_id,
    size: variant.weight,
    unit: variant.weight_unit,
    price: formatCents(variant.price_cents),
    salePrice: variant.sale_price_cents === null ? null : formatCents(variant.sale_price_cents),
    inventory: variant.stock,
    batch: variant.batch,
    isActive: variant.is_available,
  })),
})
