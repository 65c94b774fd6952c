import type { Insertable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { recordMediaUses } from './media-uses.ts'

export async function addGalleryItem(
  db: Db,
  businessId: string,
  mediaId: string,
  details: Partial<Insertable<DB['gallery_items']>> = {},
): Promise<string> {
  const id = newId()
  const now = new Date()
  const place = { business_id: businessId, media_id: mediaId, kind: 'image' as const, position: 1, alt: '' }
  await db
    .insertInto('gallery_items')
    .values({ id, ...place, created_at: now, updated_at: now, ...details })
    .execute()
  await recordMediaUses(db, 'gallery_item', id)
  return id
}
