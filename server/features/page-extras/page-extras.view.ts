import { createHash } from 'node:crypto'
import type { ManagedPageExtras, PageExtras, SocialLink } from '#contracts/page-extras.ts'
import { socialNetworkIds } from '#contracts/social-networks.ts'
import type { Db } from '#server/db/connect.ts'
import { businessEntitlements } from '#server/features/billing/index.ts'
import { requireBusiness } from '#server/features/businesses/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { type GalleryRow, galleryRows, type SocialLinkRow, socialLinkRows } from './page-extras.queries.ts'

/** What the page shows to everyone, including the team. @throws AppError not_found */
export async function readPageExtras(db: Db, viewerId: string | null, idOrSlug: string, now: Date): Promise<PageExtras> {
  const { id } = await requireBusiness(db, idOrSlug, viewerId)
  const unlocked = await businessEntitlements(db, id, now)
  const rows = unlocked.has('gallery') ? (await galleryRows(db, id)).filter(({ moderation }) => moderation === null) : []
  const links = unlocked.has('social_links') ? await socialLinkRows(db, id) : []
  return { gallery: await toItems(db, rows, ({ id }) => ({ id })), socialLinks: toLinks(links) }
}

/** @throws AppError not_found, forbidden */
export async function readManagedPageExtras(db: Db, actor: Actor, idOrSlug: string, now: Date): Promise<ManagedPageExtras> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'profile')
  return managedPageExtras(db, id, now)
}

/** Callers must have checked the permission. */
export async function managedPageExtras(db: Db, businessId: string, now: Date): Promise<ManagedPageExtras> {
  const unlocked = await businessEntitlements(db, businessId, now)
  const rows = await galleryRows(db, businessId)
  return {
    gallery: await toItems(db, rows, ({ id, moderation }) => ({ id, moderation })),
    galleryVersion: versionOf(rows),
    socialLinks: toLinks(await socialLinkRows(db, businessId)),
    isUnlocked: { gallery: unlocked.has('gallery'), socialLinks: unlocked.has('social_links') },
  }
}

/** Equal for the same items in the same order with the same descriptions. */
export const versionOf = (rows: readonly Pick<GalleryRow, 'media_id' | 'alt'>[]): string =>
  createHash('sha256')
    .update(JSON.stringify(rows.map(({ media_id, alt }) => [media_id, alt])))
    .digest('base64url')

async function toItems<Item>(db: Db, rows: readonly GalleryRow[], toItem: (row: GalleryRow) => Item) {
  const media = await mediaOf(
    db,
    rows.map(({ media_id }) => media_id),
  )
  return rows.flatMap((row) => {
    const of = media.get(row.media_id)
    return of ? [{ ...toItem(row), media: { ...of, alt: row.alt } }] : []
  })
}

const toLinks = (rows: readonly SocialLinkRow[]): SocialLink[] =>
  rows.toSorted((one, other) => socialNetworkIds.indexOf(one.network) - socialNetworkIds.indexOf(other.network))
