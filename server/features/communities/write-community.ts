import { randomBytes } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { Community, CommunityChange, NewCommunity } from '#contracts/communities.ts'
import type { Trust } from '#contracts/people.rules.ts'
import { dayMs, minuteMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { asLocked } from '#server/db/locked.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { inStatement, inTransaction } from '#server/db/transaction.ts'
import { requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { holdForReview, leaveCasesToSite } from '#server/features/moderation/index.ts'
import { lockPeople } from '#server/features/people/index.ts'
import { screenWords } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { communitySearchText, countOwned, insertCommunity } from './communities.queries.ts'
import { auditCommunity, hasOwner, mayDelete, refusals, requireCommunity } from './community-access.ts'
import { addMember, removeMember } from './memberships.queries.ts'
import { loadCommunity } from './read-communities.ts'

export const maxOwned: Record<Trust, number> = { new: 1, known: 5, trusted: 20 }

/**
 * Creates a community with the actor as owner and first member. If its text is held, only the actor sees it until a moderator
 * has reviewed it.
 * @throws AppError invalid_input about `imageId` or refused text, conflict if the actor owns too many, idempotency_mismatch
 */
export async function createCommunity(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  input: NewCommunity,
  idempotency: IdempotencyKey | null,
): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      // Serializes concurrent creation, because the number of communities per owner is limited.
      await lockPeople(tx, [actor.id])
      await requireRoomToOwn(tx, actor)
      if (input.imageId !== null) await requireReadyMedia(tx, actor.id, [input.imageId], { kinds: ['image'], field: 'imageId' })
      const id = newId()
      const texts = [input.name, input.description, ...input.rules]
      const verdict = await screenWords(tx, ctx, actor, { kind: 'community', texts, subjectId: id, field: 'description' })
      await insertWithAddress(tx, {
        id,
        name: input.name,
        description: input.description,
        category: input.category,
        visibility: input.visibility,
        rules: input.rules,
        image_id: input.imageId,
        moderation: verdict.state,
        created_by: actor.id,
        created_at: now,
        updated_at: now,
      })
      if (input.imageId !== null) await syncMediaUses(tx, 'community', [id])
      // No other transaction can see the new row before this one ends.
      await addMember(tx, { communityId: asLocked('communities', id), userId: actor.id, role: 'owner', now })
      if (verdict.state === 'held') {
        const about = { subject: 'community', subjectId: id, userId: actor.id, businessId: null, communityId: null } as const
        await holdForReview(tx, ctx, { ...about, findings: verdict.findings, now })
      }
      return loadCommunity(tx, actor, id, now)
    }),
  )
}

async function requireRoomToOwn(tx: Tx, actor: Actor): Promise<void> {
  const maxCommunities = maxOwned[actor.trust]
  if ((await countOwned(tx, actor.id)) < maxCommunities) return
  const message =
    actor.trust === 'trusted'
      ? `You own ${maxCommunities} communities, the most a person can own.`
      : `You can own ${maxCommunities === 1 ? 'one community' : `${maxCommunities} communities`} for now. The limit grows over time and with a confirmed email address.`
  throw new AppError('conflict', { message })
}

type Row = Omit<Parameters<typeof insertCommunity>[1], 'slug'>

/** Private communities never get a plain slug: see `communitySlug`. */
async function insertWithAddress(tx: Tx, row: Row): Promise<void> {
  const base = communitySlugBase(row.name)
  if (row.visibility !== 'private' && (await insertCommunity(tx, { ...row, slug: communitySlug(base, true) }))) return
  while (!(await insertCommunity(tx, { ...row, slug: communitySlug(base, false) })));
}

const maxLength = 60

/** Used, or possibly used later, by calls (`/api/communities/my`) and screens (`/communities/invitations/…`). */
const reserved = new Set([
  ...['admin', 'categories', 'community', 'create', 'discover', 'feed', 'invitations', 'join', 'manage', 'moderation', 'my', 'new'],
  ...['notifications', 'posts', 'requests', 'search', 'settings', 'suggestions', 'tags'],
])

export function communitySlugBase(name: string): string {
  const slug = slugify(name, { decamelize: false }).slice(0, maxLength).replace(/-$/, '')
  if (slug === '') return 'community'
  // Paths accept an ID or a slug, so a slug must not look like an ID.
  return reserved.has(slug) || isUuid(slug) ? `${slug}-community` : slug
}

/**
 * The next slug to try. Duplicates of a name and all private communities get a random suffix. With numbers, a gap would reveal a
 * private community of the same name.
 */
export const communitySlug = (base: string, isPlain: boolean): string => (isPlain ? base : `${base}-${randomBytes(4).toString('hex')}`)

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Changes the actor's own community. Its slug doesn't change, so links still work. Pending join requests end if it becomes public, because
 * anyone can then join, or private, because it is then hidden from people outside it.
 * @throws AppError not_found, forbidden, invalid_input about `imageId` or refused text
 */
export async function updateCommunity(ctx: Ctx, actor: Actor, communityId: string, change: CommunityChange): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireCommunity(tx, actor, communityId, 'own', now, { lock: 'update' })
    const { imageId, ...words } = change
    const old = await partsOf(tx, communityId)
    if (imageId && imageId !== old.image_id) await requireReadyMedia(tx, actor.id, [imageId], { kinds: ['image'], field: 'imageId' })
    await requireClean(tx, ctx, actor, communityId, old, words)
    if (Object.keys(change).length > 0) {
      await tx
        .updateTable('communities')
        .set({
          ...words,
          ...(imageId === undefined ? {} : { image_id: imageId }),
          // The badge was given to the old name.
          ...(words.name === undefined || words.name === before.name ? {} : { is_verified: false }),
          search_text: communitySearchText({ name: words.name ?? old.name, description: words.description ?? old.description }),
          updated_at: now,
        })
        .where('id', '=', communityId)
        .execute()
      if (imageId !== undefined) await syncMediaUses(tx, 'community', [communityId])
      await markForSearch(tx, 'community', [communityId])
    }
    const visibility = change.visibility ?? before.visibility
    if (visibility !== before.visibility) {
      if (visibility !== 'invite_only') await tx.deleteFrom('community_requests').where('community_id', '=', communityId).execute()
      await auditCommunity(tx, actor, 'community.visibility_changed', communityId, now, { before: before.visibility, after: visibility })
    }
    return loadCommunity(tx, actor, communityId, now)
  })
}

const partsOf = (tx: Tx, id: string) =>
  tx.selectFrom('communities').select(['name', 'description', 'rules', 'image_id']).where('id', '=', id).executeTakeFirstOrThrow()

type Parts = Awaited<ReturnType<typeof partsOf>>

/**
 * Refuses text that would get a new community held. Holding an existing one would hide it from all its members.
 * @throws AppError invalid_input
 */
async function requireClean(tx: Tx, ctx: Ctx, actor: Actor, id: string, old: Parts, change: CommunityChange): Promise<void> {
  const { name = old.name, description = old.description, rules = old.rules } = change
  const before = [old.name, old.description, ...old.rules]
  const { findings } = await screenWords(tx, ctx, actor, { kind: 'community', texts: [name, description, ...rules], before, subjectId: id })
  const field = name !== old.name ? 'name' : description !== old.description ? 'description' : 'rules'
  if (findings.length > 0) throw invalidField(field, findings.map(({ says }) => says).join(' '))
}

/** For what is erased at once. Two at a time would wait for each other. */
const headStartSeconds = 60

/**
 * Deletes the actor's own community and everything members wrote in it. Owners are responsible for its content, so they can
 * delete it even if it has members or site moderators have hidden it. Because that also deletes others' content, the name must be typed.
 * Open cases in the community are left to the site's moderators.
 *
 * The community is closed to everyone at once. A large one is too much for a single transaction, so a job erases the rest of it.
 * @throws AppError not_found, forbidden, invalid_input about `name`
 */
export async function deleteCommunity(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs'>,
  actor: Actor,
  communityId: string,
  typedName: string,
): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { id, name, visibility, moderation, access } = await requireCommunity(tx, actor, communityId, 'see', now, { lock: 'update' })
    if (!mayDelete(access, moderation !== null)) throw new AppError('forbidden', { message: refusals.own })
    if (typedName.toLowerCase() !== name.toLowerCase()) throw invalidField('name', 'This isn’t the name of the community')
    // Only owners see removed communities, so now no one does. Its address is free again.
    await tx
      .updateTable('communities')
      .set({ moderation: 'removed', slug: communitySlug('deleted', false), updated_at: now })
      .where('id', '=', id)
      .execute()
    await removeMember(tx, id, actor.id, now)
    await leaveCasesToSite(tx, id)
    await markForSearch(tx, 'community', [id])
    await ctx.jobs.enqueue('communities.erase', { communityId: id }, { tx, startAfterSeconds: headStartSeconds })
    await auditCommunity(tx, actor, 'community.deleted', id, now, { visibility })
  })
  // The job erases the rest, and repeats what fails here.
  await eraseCommunity(ctx.db, communityId, { maxBatches: 5 }).catch(() => {})
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'communities.erase': { communityId: string }
    'communities.erase-closed': Record<string, never>
  }
}

type CommunityJob = Extract<JobName, `communities.${string}`>

/** Half of what a job may take. */
const maxJobMs = 5 * minuteMs

export const communityJobs = (
  ctx: Pick<Context, 'db' | 'clock' | 'jobs'>,
  limits: EraseLimits = { maxMs: maxJobMs },
): Pick<JobHandlers, CommunityJob> => ({
  async 'communities.erase'({ communityId }) {
    if (!(await eraseCommunity(ctx.db, communityId, limits))) await ctx.jobs.enqueue('communities.erase', { communityId })
  },
  'communities.erase-closed': () => eraseClosed(ctx),
})

export const communitySchedules: readonly JobSchedule[] = [{ name: 'communities.erase-closed', cron: '53 4 * * *', data: {} }]

/** Queues the job again for closed communities that it hasn't erased within a day, because it failed too often or was lost. */
async function eraseClosed({ db, clock, jobs }: Pick<Context, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const closed = await db
    .selectFrom('communities')
    .select('id')
    .where('moderation', '=', 'removed')
    .where('updated_at', '<', new Date(clock.now().getTime() - dayMs))
    .where(sql<boolean>`not ${hasOwner}`)
    .execute()
  for (const communityId of idsOf(closed)) await jobs.enqueue('communities.erase', { communityId })
}

type EraseLimits = { maxBatches?: number; maxMs?: number; posts?: number; rows?: number }

/**
 * Erases a closed community, a bounded number of rows per statement. Continues where an earlier attempt stopped, even while that one runs.
 * @returns false if it stopped at a limit
 */
export async function eraseCommunity(
  db: Db,
  communityId: string,
  { maxBatches = Number.POSITIVE_INFINITY, maxMs = Number.POSITIVE_INFINITY, posts = 100, rows = 1000 }: EraseLimits = {},
): Promise<boolean> {
  const inIt = sql`community_id = ${communityId}::uuid`
  const endsAt = performance.now() + maxMs
  let batches = 0
  /** Returns false at a limit. */
  const deleteAll = async (table: 'comments' | 'community_members' | 'notifications', where: RawBuilder<unknown>): Promise<boolean> => {
    const key = table === 'community_members' ? sql`community_id, user_id` : sql`id`
    // Counts what was found, because another attempt may be deleting some of it.
    for (let found = rows; found >= rows; batches++) {
      if (batches >= maxBatches || performance.now() >= endsAt) return false
      const answer = await inStatement(db, (db) =>
        sql<{ found: number }>`
          with batch as (select ${key} from ${sql.table(table)} where ${where} limit ${rows}::int),
            deleted as (delete from ${sql.table(table)} where (${key}) in (select ${key} from batch))
          select count(*) as found from batch`.execute(db),
      )
      found = answer.rows[0]?.found ?? 0
    }
    return true
  }
  for (;;) {
    const ids = idsOf(await db.selectFrom('posts').select('id').where('community_id', '=', communityId).limit(posts).execute())
    if (ids.length === 0) break
    if (!(await deleteAll('comments', sql`post_id = ${pageIds(ids)}`))) return false
    await inStatement(db, (db) => sql`delete from posts where id = ${pageIds(ids)}`.execute(db))
  }
  if (!(await deleteAll('notifications', inIt)) || !(await deleteAll('community_members', inIt))) return false
  await inStatement(db, (db) => db.deleteFrom('communities').where('id', '=', communityId).execute())
  return true
}

/**
 * Grants or removes the badge. Admins see no more of private communities than others do, so those can't be verified.
 * @throws AppError not_found, conflict for a private community that the admin is in
 */
export async function verifyCommunity(ctx: Ctx, admin: Actor, communityId: string, isVerified: boolean): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { visibility } = await requireCommunity(tx, admin, communityId, 'see', now, { lock: 'update' })
    if (visibility === 'private') throw new AppError('conflict', { message: 'Only communities that others can find can have the badge.' })
    const changed = await tx
      .updateTable('communities')
      .set({ is_verified: isVerified, updated_at: now })
      .where('id', '=', communityId)
      .where('is_verified', '<>', isVerified)
      .returning('id')
      .executeTakeFirst()
    const community = await loadCommunity(tx, admin, communityId, now)
    if (changed) await auditCommunity(tx, admin, isVerified ? 'community.verified' : 'community.unverified', communityId, now)
    return community
  })
}
