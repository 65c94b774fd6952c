import { sql } from 'kysely'
import { maxGalleryPhotos } from '#contracts/business-plans.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import { plansWith } from '#contracts/entitlements.ts'
import { maxGalleryVideos } from '#contracts/limits.ts'
import type { saveGallery as galleryContract } from '#contracts/page-extras.endpoints.ts'
import * as contract from '#contracts/page-extras.endpoints.ts'
import type { ManagedPageExtras, PageExtras, SocialLink, SocialLinkEdits } from '#contracts/page-extras.ts'
import { socialNetworkIds, socialUrl } from '#contracts/social-networks.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { businessEntitlements } from '#server/features/billing/index.ts'
import { lockBusiness, requireBusiness } from '#server/features/businesses/index.ts'
import type { IsForEveryone, MayReadMedia } from '#server/features/media/index.ts'
import { mediaOf, requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { businessWords, requireClean } from '#server/features/screening/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { newId, versionOf } from '#server/kernel/ids.ts'
import { type Api, route } from '#server/kernel/route.ts'

export function registerPageExtras(api: Api): void {
  route(api, contract.getPageExtras, ({ ctx, actor, params }) => readPageExtras(ctx.db, actor?.id ?? null, params.id, ctx.clock.now()), {
    replicaFor: 'visitors',
  })
  route(api, contract.getManagedPageExtras, ({ ctx, actor, params }) => readManagedPageExtras(ctx.db, actor, params.id, ctx.clock.now()))
  route(api, contract.saveGallery, ({ ctx, actor, params, body }) => saveGallery(ctx, actor, params.id, body))
  route(api, contract.saveSocialLinks, ({ ctx, actor, params, body }) => saveSocialLinks(ctx, actor, params.id, body))
}

/** The page as everyone sees it, including the team. */
async function readPageExtras(db: Db, viewerId: string | null, idOrSlug: string, now: Date): Promise<PageExtras> {
  const { id } = await requireBusiness(db, idOrSlug, viewerId)
  return shownExtras(db, id, now)
}

/** Doesn't check whether the business is shown. */
export async function shownExtras(db: Db, id: string, now: Date): Promise<PageExtras> {
  const unlocked = await businessEntitlements(db, id, now)
  const rows = unlocked.has('gallery') ? (await galleryRows(db, id)).filter(({ moderation }) => moderation === null) : []
  const links = unlocked.has('social_links') ? await socialLinkRows(db, id) : []
  return { gallery: await toItems(db, rows, ({ id }) => ({ id })), socialLinks: toLinks(links) }
}

async function readManagedPageExtras(db: Db, actor: Actor, idOrSlug: string, now: Date): Promise<ManagedPageExtras> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'profile')
  return managedPageExtras(db, id, now)
}

/** Doesn't check the permission. */
async function managedPageExtras(db: Db, businessId: string, now: Date): Promise<ManagedPageExtras> {
  const unlocked = await businessEntitlements(db, businessId, now)
  const rows = await galleryRows(db, businessId)
  return {
    gallery: await toItems(db, rows, ({ id, moderation }) => ({ id, moderation })),
    galleryVersion: galleryVersion(rows),
    socialLinks: toLinks(await socialLinkRows(db, businessId)),
    isUnlocked: { gallery: unlocked.has('gallery'), socialLinks: unlocked.has('social_links') },
  }
}

/** Equal for the same items in the same order with the same descriptions. */
const galleryVersion = (rows: readonly Pick<GalleryRow, 'media_id' | 'alt'>[]): string =>
  versionOf(rows.map(({ media_id, alt }) => [media_id, alt]))

async function toItems<Item>(db: Db, rows: readonly GalleryRow[], toItem: (row: GalleryRow) => Item) {
  const mediaIds = rows.map(({ media_id }) => media_id)
  const media = await mediaOf(db, mediaIds)
  return rows.flatMap((row) => {
    const of = media.get(row.media_id)
    return of ? [{ ...toItem(row), media: { ...of, alt: row.alt } }] : []
  })
}

const toLinks = (rows: readonly SocialLinkRow[]): SocialLink[] =>
  rows.toSorted((one, other) => socialNetworkIds.indexOf(one.network) - socialNetworkIds.indexOf(other.network))

type Ctx = Pick<Context, 'db' | 'clock'>
type GalleryEdits = Parsed<(typeof galleryContract)['body']>
type Wanted = GalleryEdits['items'][number]

/**
 * Replaces the gallery. Without a plan, existing items can still be described, moved and removed.
 * @throws AppError not_found, forbidden, plan_limit, muted, invalid_input, conflict if a colleague changed it in the meantime
 */
function saveGallery(ctx: Ctx, actor: Actor, idOrSlug: string, { items, version }: GalleryEdits): Promise<ManagedPageExtras> {
  return changeExtras(ctx, actor, idOrSlug, 'gallery', async (tx, businessId, now) => {
    const before = await galleryRows(tx, businessId)
    const kinds = new Map(before.map(({ media_id, kind }) => [media_id, kind]))
    if (galleryVersion(inOrder(items, kinds).map(({ mediaId, alt }) => ({ media_id: mediaId, alt }))) === galleryVersion(before))
      return false
    if (version !== galleryVersion(before)) {
      throw new AppError('conflict', {
        message: 'Someone else on your team changed the photos in the meantime. Reload the page to see them.',
      })
    }
    if (new Set(items.map(({ mediaId }) => mediaId)).size < items.length) throw invalidField('items', 'Add each photo only once')
    const added = items.map(({ mediaId }) => mediaId).filter((id) => !kinds.has(id))
    if (added.length > 0) {
      await requirePlanFor(tx, businessId, 'gallery', now)
      requireNotMuted(actor)
      await requireReadyMedia(tx, actor.id, added, { field: 'items' })
      for (const { id, kind } of (await mediaOf(tx, added)).values()) kinds.set(id, kind === 'video' ? kind : 'image')
    }
    const ordered = inOrder(items, kinds)
    requireFits(ordered, kinds)
    const texts = Object.fromEntries(items.map(({ alt }, i) => [`items.${i}.alt`, alt]))
    requireClean(
      (await businessWords(tx, ctx, actor, 'business_profile', businessId))(
        texts,
        before.map(({ alt }) => alt),
      ),
    )
    const videos = ordered.filter(({ mediaId }) => kinds.get(mediaId) === 'video').length
    const placed = ordered.map(({ mediaId, alt }, i) => ({
      ...{ mediaId, alt, kind: kinds.get(mediaId) ?? 'image' },
      // Position 0 is reserved for the video.
      position: i + 1 - videos,
    }))
    const ids = await replaceGallery(tx, businessId, placed, { actorId: actor.id, now })
    await syncMediaUses(tx, 'gallery_item', ids)
    return true
  })
}

function saveSocialLinks(ctx: Ctx, actor: Actor, idOrSlug: string, edits: SocialLinkEdits): Promise<ManagedPageExtras> {
  return changeExtras(ctx, actor, idOrSlug, 'social_links', async (tx, businessId, now) => {
    const before = new Map((await socialLinkRows(tx, businessId)).map(({ network, url }) => [network, url]))
    const changes = socialNetworkIds.flatMap((network) => {
      const text = edits[network]
      if (text === undefined) return []
      const url = socialUrl(network, text)
      return url === (before.get(network) ?? null) ? [] : [{ network, url }]
    })
    if (changes.some(({ url }) => url !== null)) await requirePlanFor(tx, businessId, 'social_links', now)
    const texts = Object.fromEntries(changes.map(({ network, url }) => [network, url]))
    requireClean((await businessWords(tx, ctx, actor, 'business_profile', businessId))(texts))
    for (const { network, url } of changes) await writeSocialLink(tx, businessId, network, url)
    return changes.length > 0
  })
}

type Extra = 'gallery' | 'social_links'

/** `write` returns whether anything changed. */
async function changeExtras(
  { db, clock }: Ctx,
  actor: Actor,
  idOrSlug: string,
  extra: Extra,
  write: (tx: Tx, businessId: string, now: Date) => Promise<boolean>,
): Promise<ManagedPageExtras> {
  const now = clock.now()
  const { id } = await requirePermission(db, actor, idOrSlug, 'profile')
  return inTransaction(db, async (tx) => {
    await lockBusiness(tx, id)
    await requirePermission(tx, actor, id, 'profile', { lock: true })
    const isChanged = await write(tx, id, now)
    const answer = await managedPageExtras(tx, id, now)
    if (isChanged) {
      const entry = { action: 'business.edited', subjectType: 'business', subjectId: id, businessId: id } as const
      await recordAudit(tx, { ...entry, at: now, actorId: actor.id, details: { fields: extra } })
    }
    return answer
  })
}

const refusals: Record<Extra, string> = {
  gallery: 'Photos and a video on your page come with Verified. Choose Verified to add them.',
  social_links: 'Social links on your page come with Verified. Choose Verified to add them.',
}

async function requirePlanFor(tx: Tx, businessId: string, extra: Extra, now: Date): Promise<void> {
  if ((await businessEntitlements(tx, businessId, now)).has(extra)) return
  throw new AppError('plan_limit', { message: refusals[extra] })
}

type Kinds = ReadonlyMap<string, GalleryRow['kind']>

/** The video first, as the page shows it. */
const inOrder = (items: readonly Wanted[], kinds: Kinds): Wanted[] =>
  items.toSorted((one, other) => Number(kinds.get(other.mediaId) === 'video') - Number(kinds.get(one.mediaId) === 'video'))

function requireFits(items: readonly Wanted[], kinds: Kinds): void {
  const videos = items.filter(({ mediaId }) => kinds.get(mediaId) === 'video').length
  if (videos > maxGalleryVideos) throw invalidField('items', 'Your page has room for one video. Remove the other one first.')
  if (items.length - videos > maxGalleryPhotos) {
    throw invalidField('items', `Your page has room for ${maxGalleryPhotos} photos. Remove some first.`)
  }
}

type GalleryRow = Awaited<ReturnType<typeof galleryRows>>[number]
type SocialLinkRow = Awaited<ReturnType<typeof socialLinkRows>>[number]

const galleryRows = (db: Db, businessId: string) =>
  db
    .selectFrom('gallery_items')
    .select(['id', 'media_id', 'kind', 'alt', 'moderation'])
    .where('business_id', '=', businessId)
    .orderBy('position')
    .execute()

const socialLinkRows = (db: Db, businessId: string) =>
  db.selectFrom('business_social_links').select(['network', 'url']).where('business_id', '=', businessId).execute()

type Placed = { mediaId: string; kind: GalleryRow['kind']; position: number; alt: string }

/** Replaces the gallery. Existing items keep their IDs. Returns all IDs. */
async function replaceGallery(
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

async function writeSocialLink(tx: Tx, businessId: string, network: SocialLinkRow['network'], url: string | null): Promise<void> {
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

/** Whether everyone may see an item: a plan includes the gallery, and moderators have hidden neither the item nor the business. */
export const isGalleryItemShown: IsForEveryone = (itemId, now) => sql<boolean>`exists (
  select from gallery_items join businesses on businesses.id = gallery_items.business_id
  where gallery_items.id = ${itemId} and gallery_items.moderation is null and businesses.moderation is null
    and exists (select from agreements where agreements.business_id = gallery_items.business_id
      and agreements.plan_id = any(${plansWith('gallery')}::text[]) and agreements.entitled_until > ${now}::timestamptz))`

/** The team also sees items the page doesn't show, unless moderators removed them. */
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
