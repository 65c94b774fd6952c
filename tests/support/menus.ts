import type { Insertable } from 'kysely'
import { variantFieldKeys } from '#contracts/menu-fields.ts'
import type { Db } from '#server/db/connect.ts'
import type { DB } from '#server/db/schema.ts'
import { newId } from '#server/kernel/ids.ts'

/** The body of an item with a single variant: `{ name: 'A', price: '1' }` → `{ name: 'A', variants: [{ price: '1' }] }`. */
export function withOneVariant(fields: object): object {
  const ofVariant = new Set<string>([...variantFieldKeys, 'offers'])
  const entries = Object.entries(fields)
  return {
    ...Object.fromEntries(entries.filter(([key]) => !ofVariant.has(key))),
    variants: [Object.fromEntries(entries.filter(([key]) => ofVariant.has(key)))],
  }
}

type Item = Partial<Insertable<DB['products']>>
type Variant = Partial<Insertable<DB['product_variants']>>

/** Stores an item with a single variant, which has the item's ID. */
export async function addProduct(db: Db, businessId: string, item: Item = {}, variant: Variant = {}): Promise<string> {
  const id = item.id ?? newId()
  const { price_cents = 100, is_available = true } = variant
  await db
    .insertInto('products')
    .values({ name: 'Item', ...item, id, business_id: businessId, low_price_cents: price_cents, is_available })
    .execute()
  await db
    .insertInto('product_variants')
    .values({ position: 0, ...variant, id, product_id: id, business_id: businessId, price_cents, is_available })
    .execute()
  return id
}
