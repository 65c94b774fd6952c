import { sql } from 'kysely'
import { plansWith } from '#contracts/entitlements.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import type { IsForEveryone, MayReadMedia } from '#server/features/media/index.ts'
import { newId } from '#server/kernel/ids.ts'

export type GalleryRow = Awaited<ReturnType<typeof galleryRows>>[number]
export type SocialLinkRow = Awaited<ReturnType<typeof socialLinkRows>>[number]

/** The video first, then the photos in their order. */
export const galleryRows = (db: Db, businessId: string) =>
  db
    .selectFrom('gallery_items')
    .select(['id', 'media_id', 'kind', 'alt', 'moderation'])
    .where('business_id', '=', businessId)
    .orderBy('position')
    .execute()

export const socialLinkRows = (db: Db, businessId: string) =>
  db.selectFrom('business_social_links').select(['network', 'url']).where('business_id', '=', businessId).execute()

type Placed = { mediaId: string; kind: GalleryRow['kind']; position: number; alt: string }

/** Replaces the gallery. Items that stay keep their IDs. Returns all IDs. */
export async function replaceGallery(
  tx: Tx,
  businessId: string,
  placed: readonly Placed[],
  by: { actorId: string; now: Date },
): Promise<string[]> {
  await tx
    .deleteFrom('gallery_items')
    .where('business_id', '=', businessId)
    .where(sql<boolean>`media_id <> all(${placed.map(({ mediaId }) => mediaId)}::uuid[])`)
    .execute()
  if (placed.length === 0) return []
  const rows = await tx
    .insertInto('gallery_items')
    .values(
      placed.map(({ mediaId, kind, position, alt }) => ({
        ...{ id: newId(), business_id: businessId, media_id: mediaId, kind, position, alt },
        ...{ added_by: by.actorId, created_at: by.now, updated_at: by.now },
      })),
    )
    .onConflict((conflict) =>
      conflict.column('media_id').doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        alt: ref('excluded.alt'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function writeSocialLink(tx: Tx, businessId: string, network: SocialLinkRow['network'], url: string | null): Promise<void> {
  if (url === null) {
    await tx.deleteFrom('business_social_links').where('business_id', '=', businessId).where('network', '=', network).execute()
    return
  }
  await tx
    .insertInto('business_social_links')
    .values({ business_id: businessId, network, url })
    .onConflict((conflict) => conflict.columns(['business_id', 'network']).doUpdateSet({ url }))
    .execute()
}

/** Whether everyone may see an item: a plan includes the gallery, and moderators hide neither the item nor the business. */
export const isGalleryItemShown: IsForEveryone = (itemId, now) => sql<boolean>`exists (
  select from gallery_items join businesses on businesses.id = gallery_items.business_id
  where gallery_items.id = ${itemId} and gallery_items.moderation is null and businesses.moderation is null
    and exists (select from agreements where agreements.business_id = gallery_items.business_id
      and agreements.plan_id = any(${plansWith('gallery')}::text[]) and agreements.entitled_until > ${now}::timestamptz))`

/** The team sees what the page doesn't show, unless moderators removed it. */
export const mayReadGalleryMedia: MayReadMedia = async (db, actor, itemIds) => {
  const item = await db
    .selectFrom('gallery_items')
    .innerJoin('business_members', 'business_members.business_id', 'gallery_items.business_id')
    .select('gallery_items.id')
    .where(sql<boolean>`gallery_items.id = ${pageIds(itemIds)}`)
    .where('business_members.user_id', '=', actor.id)
    .where(sql<boolean>`gallery_items.moderation is distinct from 'removed'`)
    .limit(1)
    .executeTakeFirst()
  return item !== undefined
}
