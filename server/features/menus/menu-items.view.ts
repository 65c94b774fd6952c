import { sql } from 'kysely'
import type { Media } from '#contracts/media.ts'
import { menuFieldKeys } from '#contracts/menu-fields.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { formatCents } from '#contracts/money.rules.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { documentUrl } from '#server/kernel/media-address.ts'
import { valuesOf } from './menu-fields.ts'
import { itemColumns } from './product-rows.queries.ts'

type Row = Awaited<ReturnType<typeof itemRows>>[number]
type Offer = MenuItem['offers'][number]

const itemRows = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('products')
    .select([...itemColumns, 'id', 'version', 'confirmed_at', 'updated_at'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()

const offersOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('product_offers')
    .select(['product_id', 'location_id', 'is_offered', 'price_cents', 'is_available'])
    .where(sql<boolean>`product_id = any(${ids}::uuid[])`)
    .orderBy('location_id')
    .execute()

/** Items as menu editors see them, in the order of the ids, without deleted ones. */
export async function loadMenuItems(db: Db, ids: readonly string[]): Promise<MenuItem[]> {
  if (ids.length === 0) return []
  const [rows, offers] = await Promise.all([itemRows(db, ids), offersOf(db, ids)])
  const media = await mediaOf(
    db,
    rows.flatMap((row) => row.image_id ?? []),
  )
  const offersByItem = new Map<string, Offer[]>()
  for (const offer of offers) {
    const list = offersByItem.get(offer.product_id) ?? []
    offersByItem.set(offer.product_id, list)
    list.push({
      locationId: offer.location_id,
      isOffered: offer.is_offered,
      price: offer.price_cents === null ? null : formatCents(offer.price_cents),
      isAvailable: offer.is_available,
    })
  }
  const items = new Map(rows.map((row) => [row.id, toMenuItem(row, offersByItem.get(row.id) ?? [], media)]))
  return ids.flatMap((id) => items.get(id) ?? [])
}

const toMenuItem = (row: Row, offers: Offer[], media: ReadonlyMap<string, Media>): MenuItem => ({
  id: row.id,
  ...valuesOf(row, menuFieldKeys),
  certificateId: row.certificate_id,
  certificateUrl: row.certificate_id && documentUrl(row.certificate_id),
  image: (row.image_id && media.get(row.image_id)) || null,
  offers,
  confirmedAt: row.confirmed_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
})
