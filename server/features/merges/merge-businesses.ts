import { sql } from 'kysely'
import { maxGalleryPhotos } from '#contracts/business-plans.ts'
import type { Business } from '#contracts/businesses.ts'
import type { MergePreview } from '#contracts/merges.endpoints.ts'
import { dayMs, licenseDay } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { moveAccounts } from '#server/features/billing/index.ts'
import {
  getBusiness,
  loadSummaries,
  requireBusiness,
  searchTextOf,
  setBusinessPicture,
  setLogo,
} from '#server/features/businesses/index.ts'
import { roleOf, takeOutOfGroup } from '#server/features/team/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { mergeMessages, mergePeople, mergeReviews } from './merge-people.ts'
import { type LockedPair, mergeTables, type Pair } from './merge-tables.ts'
import {
  closeCases,
  closeExpiredClaims,
  countMerge,
  findObstacle,
  lockMergingBusinesses,
  type MergingBusiness,
  mergedInto,
  mergingBusinesses,
  settleCorrections,
} from './merges.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events' | 'config'>

/**
 * Merges a business into another one permanently: moves its data per merge-tables.ts, deletes it and redirects its address. Idempotent.
 * `confirm` throws if the reason for the merge no longer applies once both businesses are locked.
 * @throws AppError not_found, forbidden, conflict with the reason if they can't be merged now
 */
export async function mergeBusinesses(
  ctx: Ctx,
  actor: Actor,
  fromIdOrSlug: string,
  intoIdOrSlug: string,
  confirm?: (tx: Tx, both: LockedPair) => Promise<void>,
): Promise<Business> {
  const now = ctx.clock.now()
  const pair = await findPair(ctx.db, actor, fromIdOrSlug, intoIdOrSlug)
  await requireMerger(ctx.db, actor, pair)
  if (wrongPair(pair, await mergedInto(ctx.db, fromIdOrSlug)) !== null) return mergedBefore(ctx.db, fromIdOrSlug, pair, now)
  const isMerged = await inTransaction(ctx.db, async (tx) => {
    const both = await lockMergingBusinesses(tx, pair)
    // One of the businesses is hidden, or has been merged since `findPair`.
    if (!both) return false
    await confirm?.(tx, both)
    const as = await requireMerger(tx, actor, pair)
    const obstacle = await findObstacle(tx, both.from, both.into, now)
    if (obstacle !== null) throw new AppError('conflict', { message: obstacle })
    await merge(tx, ctx, both, { actorId: actor.id, as, now })
    return true
  })
  ctx.cache.invalidate('businesses')
  if (isMerged) return getBusiness(ctx.db, pair.intoId, now)
  return mergedBefore(ctx.db, fromIdOrSlug, await findPair(ctx.db, actor, fromIdOrSlug, intoIdOrSlug), now)
}

async function findPair(db: Db, actor: Actor, fromIdOrSlug: string, intoIdOrSlug: string): Promise<Pair> {
  const from = await requireBusiness(db, fromIdOrSlug, actor.id)
  const into = await requireBusiness(db, intoIdOrSlug, actor.id)
  return { fromId: from.id, intoId: into.id }
}

/** Returns the response to a merge that was already done. @throws AppError conflict if this merge wasn't */
async function mergedBefore(db: Db, fromIdOrSlug: string, pair: Pair, now: Date): Promise<Business> {
  const into = await mergedInto(db, fromIdOrSlug)
  if (into?.id === pair.intoId) return getBusiness(db, into.id, now)
  const message = wrongPair(pair, into) ?? 'One of the two was hidden or merged. Reload the page, then review the merge again.'
  throw new AppError('conflict', { message })
}

/** Why these two businesses can't be merged; null if they can be. An old address must not merge the business that it redirects to. */
function wrongPair({ fromId, intoId }: Pair, mergedInto: { name: string } | null): string | null {
  if (mergedInto) return `This business was already merged into ${mergedInto.name}.`
  return fromId === intoId ? 'Choose two different businesses.' : null
}

type Decision = { actorId: string; as: 'owner' | 'moderators'; now: Date }

async function merge(
  tx: Tx,
  ctx: Ctx,
  { from, into, ...pair }: { from: MergingBusiness; into: MergingBusiness } & LockedPair,
  decision: Decision,
): Promise<void> {
  const { actorId, now } = decision
  const settled = await settleCorrections(tx, pair, decision)
  // Roles in its group must not carry over to the remaining business.
  await takeOutOfGroup(tx, from.id, now)
  await mergePeople(tx, pair)
  const superseded = await mergeReviews(tx, pair, now)
  await mergeMessages(tx, pair)
  await mergePage(tx, pair, now)
  await mergeVisits(tx, pair)
  await closeExpiredClaims(tx, pair, now)
  await moveAccounts(tx, ctx, pair)
  await mergeTables(tx, pair)
  await closeCases(tx, from.id, actorId, now)
  await tx.deleteFrom('businesses').where('id', '=', from.id).execute()
  await tx
    .insertInto('business_redirects')
    .values({
      ...{ from_id: from.id, slug: from.slug, business_id: into.id, register_place: from.register_place },
      ...{ merged_by: actorId, created_at: now },
    })
    .execute()
  // The menu may have moved to another time zone.
  await ctx.events.publish(tx, 'location.zone-changed', { businessId: into.id })
  await ctx.events.publish(tx, 'team.changed', { businessId: into.id })
  // Subscribers that a closed business gains through the merge must not be charged again, either.
  if (into.closure === 'permanent') await ctx.events.publish(tx, 'business.closed', { businessId: into.id })
  for (const correctionId of settled) await ctx.events.publish(tx, 'correction.settled', { correctionId })
  await recordAudit(tx, {
    ...{ at: now, actorId, action: 'business.merged', subjectType: 'business', subjectId: from.id, businessId: into.id },
    details: { as: decision.as, slug: from.slug, reviewsTakenOff: superseded.join(' ') },
  })
}

/** Requires the owner of both, or a moderator who runs neither. @throws AppError forbidden */
async function requireMerger(db: Db, actor: Actor, { fromId, intoId }: Pair): Promise<Decision['as']> {
  const [from, into] = [await roleOf(db, fromId, actor.id), await roleOf(db, intoId, actor.id)]
  if (from === 'owner' && into === 'owner') return 'owner'
  if (!hasRole(actor, 'moderator')) {
    throw new AppError('forbidden', { message: 'Only moderators, or someone who owns both businesses, can merge them.' })
  }
  if (from !== null || into !== null)
    throw new AppError('forbidden', { message: 'You help run one of these businesses. Another moderator has to decide.' })
  return 'moderators'
}

/** @throws AppError not_found, forbidden */
export async function previewMerge(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  fromIdOrSlug: string,
  intoIdOrSlug: string,
): Promise<MergePreview> {
  const now = clock.now()
  const pair = await findPair(db, actor, fromIdOrSlug, intoIdOrSlug)
  await requireMerger(db, actor, pair)
  const both = await mergingBusinesses(db, pair)
  const summaries = await loadSummaries(db, [pair.fromId, pair.intoId], now)
  const from = summaries.find(({ id }) => id === pair.fromId)
  const into = summaries.find(({ id }) => id === pair.intoId)
  if (!both || !from || !into) throw notFound('Business not found.')
  const { losesMenu, ...counts } = await countMerge(db, pair)
  const wrong = wrongPair(pair, await mergedInto(db, fromIdOrSlug))
  return {
    from,
    into,
    obstacle: wrong ?? (await findObstacle(db, both.from, both.into, now)),
    counts,
    losesMenu,
  }
}

/** Tables of a menu. They refer to each other, so a menu moves as a whole or not at all. */
const menuTables = ['products', 'product_variants', 'menu_imports', 'menu_settings', 'menu_sharing'] as const

/**
 * Moves posts, menu, locations, photos, license checks and the facts of the page. The remaining business's own facts win; the merged
 * business's facts fill in empty ones.
 */
async function mergePage(tx: Tx, pair: LockedPair, now: Date): Promise<void> {
  const { fromId, intoId } = pair
  // The cache keys of posts contain the time of their last change.
  const posts = await tx
    .updateTable('posts')
    .set({ business_id: intoId, updated_at: now })
    .where('business_id', '=', fromId)
    .returning('id')
    .execute()
  await mergeMenu(tx, pair)
  await mergeLocations(tx, pair)
  await mergeGallery(tx, pair)
  await mergeVerifications(tx, pair, now)
  await mergeFacts(tx, pair, now)
  await markForSearch(
    tx,
    'post',
    posts.map(({ id }) => id),
  )
}

async function mergeMenu(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  const items = await tx.selectFrom('products').select(['id', 'business_id']).where('business_id', 'in', [fromId, intoId]).execute()
  const ids = items.filter(({ business_id }) => business_id === fromId).map(({ id }) => id)
  // Products deleted with their business must leave the search index, too.
  await markForSearch(tx, 'product', ids)
  if (ids.length < items.length) return
  for (const table of ['menu_settings', 'menu_sharing'] as const) {
    const present = await tx.selectFrom(table).select('business_id').where('business_id', '=', intoId).executeTakeFirst()
    // If there is no item to move, the remaining business keeps its own.
    if (present) {
      await tx
        .deleteFrom(table)
        .where('business_id', '=', ids.length > 0 ? intoId : fromId)
        .execute()
    }
  }
  for (const table of menuTables) await tx.updateTable(table).set({ business_id: intoId }).where('business_id', '=', fromId).execute()
}

/** The main location has the ID of its business. Its hours move if the remaining business has none; its address never does. */
async function mergeLocations(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  await tx.updateTable('locations').set({ business_id: intoId }).where('business_id', '=', fromId).where('id', '!=', fromId).execute()
  await sql`
    insert into locations (id, business_id, name, time_zone, has_hours)
    select ${intoId}::uuid, ${intoId}::uuid, name, time_zone, false from locations where id = ${fromId}::uuid
    on conflict (id) do nothing`.execute(tx)
  const { rows } = await sql`
    select from locations present join locations moving on moving.id = ${fromId}::uuid and moving.has_hours
    where present.id = ${intoId}::uuid and not present.has_hours`.execute(tx)
  if (rows.length > 0) {
    await sql`delete from location_special_days where location_id = ${intoId}::uuid`.execute(tx)
    for (const table of ['location_hours', 'location_special_days'] as const) {
      await tx.updateTable(table).set({ location_id: intoId }).where('location_id', '=', fromId).execute()
    }
    await sql`
      update locations present set has_hours = true, time_zone = moving.time_zone from locations moving
      where present.id = ${intoId}::uuid and moving.id = ${fromId}::uuid`.execute(tx)
  }
  await tx.updateTable('events').set({ location_id: intoId }).where('location_id', '=', fromId).execute()
  await sql`
    update product_offers moving set location_id = ${intoId}::uuid where location_id = ${fromId}::uuid
      and not exists (select from product_offers present where present.location_id = ${intoId}::uuid and present.variant_id = moving.variant_id)`.execute(
    tx,
  )
}

/** Moves the video if the remaining business has none, and as many photos as fit after the existing ones. */
async function mergeGallery(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  await sql`
    with places as (
      select moving.id, case when moving.kind = 'video' then 0 else
        (select coalesce(max(position), 0) from gallery_items where business_id = ${intoId}::uuid and kind = 'image')
        + row_number() over (partition by moving.kind order by moving.position) end as place
      from gallery_items moving where moving.business_id = ${fromId}::uuid)
    update gallery_items set business_id = ${intoId}::uuid, position = places.place from places
    where places.id = gallery_items.id and case when kind = 'video' then not exists (
      select from gallery_items present where present.business_id = ${intoId}::uuid and present.kind = 'video')
      else places.place <= ${maxGalleryPhotos} end`.execute(tx)
}

/** If both have a verified license, the remaining business keeps its own. */
async function mergeVerifications(tx: Tx, { fromId, intoId }: Pair, now: Date): Promise<void> {
  await sql`
    update license_verifications moving set status = 'superseded', ended_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
    where business_id = ${fromId}::uuid and status = 'verified' and exists (
      select from license_verifications present where present.business_id = ${intoId}::uuid and present.status = 'verified')`.execute(tx)
  await tx.updateTable('license_verifications').set({ business_id: intoId }).where('business_id', '=', fromId).execute()
}

/** Moves the visits of days that are still being counted. Older ones are already counted, and there are too many to look through. */
async function mergeVisits(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  const { open_from } = await tx.selectFrom('visit_rollup').select('open_from').executeTakeFirstOrThrow()
  await tx
    .updateTable('visit_events')
    .set({ business_id: intoId })
    .where('business_id', '=', fromId)
    // Time zones are at most 14 hours ahead of UTC.
    .$if(open_from !== null, (query) => query.where('at', '>=', new Date(Date.parse(`${open_from}T00:00:00Z`) - dayMs)))
    .execute()
}

const facts = [
  'id',
  'name',
  'description',
  'location',
  'phone',
  'website',
  'image_id',
  'image_url',
  'logo_id',
  'amenities',
  'claimed_at',
  'license_standing',
  'license_verified_through',
  'stated_license_number',
  'edited_fields',
] as const

async function mergeFacts(tx: Tx, { fromId, intoId }: Pair, now: Date): Promise<void> {
  const rows = await tx.selectFrom('businesses').select(facts).where('id', 'in', [fromId, intoId]).execute()
  const from = rows.find(({ id }) => id === fromId)
  const into = rows.find(({ id }) => id === intoId)
  if (!from || !into) return
  const filled = {
    description: into.description ?? from.description,
    phone: into.phone || from.phone,
    website: into.website || from.website,
    amenities: into.amenities.length > 0 ? into.amenities : from.amenities,
  }
  const standings = ['listed', 'inactive', 'missing', 'none'] as const
  const verified = [into.license_verified_through, from.license_verified_through].find((day) => day !== null && day >= licenseDay(now))
  await tx
    .updateTable('businesses')
    .set({
      ...filled,
      claimed_at: into.claimed_at ?? from.claimed_at,
      stated_license_number: into.stated_license_number ?? from.stated_license_number,
      license_standing: standings.find((standing) => standing === into.license_standing || standing === from.license_standing) ?? 'none',
      license_verified_through: verified ?? into.license_verified_through ?? from.license_verified_through,
      search_text: searchTextOf({ ...into, ...filled }),
      // A person chose between the two, so imports must not replace the result with a mix of both.
      edited_fields: [...new Set([...into.edited_fields, 'name', 'type', 'location', 'address'])].sort(),
      updated_at: now,
    })
    .where('id', '=', intoId)
    .execute()
  if (into.image_id === null && from.image_id !== null) {
    await tx.updateTable('businesses').set({ image_url: from.image_url }).where('id', '=', intoId).execute()
    await setBusinessPicture(tx, fromId, null)
    await setBusinessPicture(tx, intoId, from.image_id)
  }
  if (into.logo_id === null && from.logo_id !== null) {
    await setLogo(tx, fromId, null)
    await setLogo(tx, intoId, from.logo_id)
  }
  await markForSearch(tx, 'business', [fromId, intoId])
}
