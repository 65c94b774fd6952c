import { sql } from 'kysely'
import type { BusinessSummary } from '#contracts/businesses.ts'
import * as contract from '#contracts/people.endpoints.ts'
import type { Person } from '#contracts/people.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { loadSummaries, lockSubscriberCount, requireBusiness } from '#server/features/businesses/index.ts'
import { endInvitationsBetween } from '#server/features/communities/index.ts'
import { endRsvpsWith } from '#server/features/events/index.ts'
import { removeBusinessFollow, removePersonFollow } from '#server/features/follows/index.ts'
import { endSharesBetween } from '#server/features/hunts/index.ts'
import {
  bylineColumns,
  isBlockedByBusiness,
  lockPeople,
  lockPerson,
  notBlocked,
  requireVisiblePerson,
  toPerson,
} from '#server/features/people/index.ts'
import { endSubscription } from '#server/features/subscriptions/index.ts'
import { requirePermission, roleOf } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'

export function registerBlocks(api: Api): void {
  route(api, contract.blockPerson, ({ ctx, actor, params }) => changePersonBlock(ctx, actor.id, params.id, true))
  route(api, contract.unblockPerson, ({ ctx, actor, params }) => changePersonBlock(ctx, actor.id, params.id, false))
  route(api, contract.blockBusiness, ({ ctx, actor, params }) => changeBusinessBlock(ctx, actor.id, params.id, true))
  route(api, contract.unblockBusiness, ({ ctx, actor, params }) => changeBusinessBlock(ctx, actor.id, params.id, false))
  route(api, contract.blockForBusiness, ({ ctx, actor, params }) => changeBlockForBusiness(ctx, actor, params.id, params.personId, true))
  route(api, contract.unblockForBusiness, ({ ctx, actor, params }) => changeBlockForBusiness(ctx, actor, params.id, params.personId, false))
  route(api, contract.listBlockedByBusiness, async ({ ctx, actor, params, query }) => {
    const { id } = await requirePermission(ctx.db, actor, params.id, 'blocks')
    return listMarkedPeople(ctx.db, { table: 'business_person_blocks', markedBy: id }, query)
  })
  route(api, contract.listBlockedPeople, ({ ctx, actor, query }) =>
    // Unlike other lists, this one shows blocked people, so that they can be unblocked.
    listMarkedPeople(ctx.db, { table: 'person_blocks', markedBy: actor.id }, query),
  )
  route(api, contract.listBlockedBusinesses, ({ ctx, actor, query }) =>
    listMarkedBusinesses(ctx.db, { table: 'business_blocks', userId: actor.id }, query, ctx.clock.now()),
  )
}

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>

/**
 * Idempotent. A block ends the subscription, the follow and RSVPs. The business remains visible in the directory, which is a
 * public record.
 * @throws AppError not_found, conflict if the person is on the business's team
 */
export async function changeBusinessBlock(ctx: Ctx, personId: string, businessId: string, isBlocked: boolean) {
  const wasSubscribed = await inTransaction(ctx.db, async (tx) => {
    const counted = await lockSubscriberCount(tx, businessId)
    if (!counted) throw notFound('Business not found.')
    const userId = await lockPerson(tx, personId)
    if (!isBlocked) {
      await tx.deleteFrom('business_blocks').where('user_id', '=', userId).where('business_id', '=', businessId).execute()
      return false
    }
    if ((await roleOf(tx, businessId, personId)) !== null) {
      throw new AppError('conflict', { message: 'You’re on this business’s team, so you can’t block it.' })
    }
    await tx
      .insertInto('business_blocks')
      .values({ user_id: userId, business_id: businessId, created_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const ended = await endSubscription(ctx, tx, { userId, ...counted })
    await removeBusinessFollow(tx, userId, businessId, ctx.clock.now())
    await endRsvpsWith(tx, userId, [businessId])
    return ended !== null
  })
  if (wasSubscribed) ctx.cache.invalidate('businesses')
  return { id: businessId, isBlocked }
}

/**
 * Idempotent. A block ends follows, hunt shares and open community invitations in both directions, and RSVPs to events of the blocker's
 * businesses. A blocked person may block back; otherwise only the blocker would decide when the two meet again.
 * @throws AppError forbidden, not_found
 */
export async function changePersonBlock(ctx: Pick<Context, 'db' | 'clock'>, blockerId: string, personId: string, isBlocked: boolean) {
  if (blockerId === personId) throw new AppError('forbidden', { message: 'You can’t block yourself.' })
  await inTransaction(ctx.db, async (tx) => {
    const [blocker, person] = await lockPeople(tx, [blockerId, personId])
    if (!blocker || !person) throw notFound('This person can’t be found or isn’t visible to you.')
    if (isBlocked) {
      await tx
        .insertInto('person_blocks')
        .values({ blocker_id: blockerId, blocked_id: personId, created_at: ctx.clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await removePersonFollow(tx, blocker, person)
      await removePersonFollow(tx, person, blocker)
      await endSharesBetween(tx, blocker, person)
      await endInvitationsBetween(tx, blocker, person)
      await endRsvpsWith(tx, person, await businessesBlocking(tx, blocker, person))
    } else {
      await tx.deleteFrom('person_blocks').where('blocker_id', '=', blockerId).where('blocked_id', '=', personId).execute()
    }
  })
  return { id: personId, isBlocked }
}

/** The owner's businesses that a personal block counts for: those whose team the blocked person isn't on. */
async function businessesBlocking(tx: Tx, ownerId: string, personId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('business_members as owning')
    .select('owning.business_id')
    .where('owning.user_id', '=', ownerId)
    .where('owning.role', '=', 'owner')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('business_members as helping')
            .select('helping.user_id')
            .whereRef('helping.business_id', '=', 'owning.business_id')
            .where('helping.user_id', '=', personId),
        ),
      ),
    )
    .execute()
  return rows.map((row) => row.business_id)
}

/**
 * Idempotent. A blocked person can't write to the business, comment on its posts, follow it, subscribe or see its events; a
 * subscription and its payments end. Existing comments remain, and the person can still review the business, so that it
 * can't choose its critics.
 * @throws AppError not_found, forbidden, conflict for a member of its own team
 */
async function changeBlockForBusiness(ctx: Ctx, actor: Actor, idOrSlug: string, personId: string, isBlocked: boolean) {
  const { id: businessId } = await requirePermission(ctx.db, actor, idOrSlug, 'blocks')
  const wasSubscribed = await inTransaction(ctx.db, async (tx) => {
    const counted = await lockSubscriberCount(tx, businessId)
    if (!counted) throw notFound('Business not found.')
    const [userId] = await lockPeople(tx, [personId])
    await requirePermission(tx, actor, businessId, 'blocks', { lock: true })
    if (!isBlocked) {
      await tx.deleteFrom('business_person_blocks').where('business_id', '=', businessId).where('person_id', '=', personId).execute()
      return false
    }
    if (!userId) throw notFound('Person not found.')
    if ((await roleOf(tx, businessId, personId)) !== null) {
      throw new AppError('conflict', { message: 'This person is on your team. Remove them from the team first.' })
    }
    await tx
      .insertInto('business_person_blocks')
      .values({ business_id: businessId, person_id: personId, blocked_by: actor.id, created_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const ended = await endSubscription(ctx, tx, { userId, ...counted })
    await removeBusinessFollow(tx, userId, businessId, ctx.clock.now())
    await endRsvpsWith(tx, userId, [businessId])
    return ended !== null
  })
  if (wasSubscribed) ctx.cache.invalidate('businesses')
  return { id: personId, isBlocked }
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /**
     * After a change of the team. Blocks between a business and people who have joined would keep them from working there; RSVPs of people
     * whom the new owner had blocked, or of blocked people who have left, would be stuck.
     */
    'blocks.end-within-team': { businessId: string }
    /** Does the same wherever an earlier release, still running beside this one or run again, didn't. */
    'blocks.end-within-teams': Record<string, never>
  }
}

type BlockJob = Extract<JobName, `blocks.${string}`>

export const blockJobs = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Pick<JobHandlers, BlockJob> => ({
  'blocks.end-within-team': ({ businessId }) => settleTeam(db, businessId),
  async 'blocks.end-within-teams'() {
    for (const id of await unsettledTeams(db, clock.now())) await settleTeam(db, id)
  },
})

export const blockSchedules: readonly JobSchedule[] = [{ name: 'blocks.end-within-teams', cron: '29 4 * * *', data: {} }]

async function settleTeam(db: Db, businessId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const team = tx.selectFrom('business_members').select('user_id').where('business_id', '=', businessId)
    await tx.deleteFrom('business_blocks').where('business_id', '=', businessId).where('user_id', 'in', team).execute()
    await tx.deleteFrom('business_person_blocks').where('business_id', '=', businessId).where('person_id', 'in', team).execute()
  })
  const going = await db
    .selectFrom('event_rsvps')
    .innerJoin('events', 'events.id', 'event_rsvps.event_id')
    .select('event_rsvps.user_id')
    .distinct()
    .where('events.business_id', '=', businessId)
    .where(isGoingDespiteBlock)
    .execute()
  // One transaction each, because RSVPs lock a person's events in order.
  for (const { user_id } of going) await inTransaction(db, (tx) => endIfBlocked(tx, user_id, businessId))
}

async function endIfBlocked(tx: Tx, userId: string, businessId: string): Promise<void> {
  const [person] = await lockPeople(tx, [userId])
  const isBlocked = isBlockedByBusiness(sql`${userId}::uuid`, sql`${businessId}::uuid`)
  // The block may have been lifted in the meantime.
  const { rows } = await sql`select where ${isBlocked}`.execute(tx)
  if (person && rows.length > 0) await endRsvpsWith(tx, person, [businessId])
}

const isGoingDespiteBlock = isBlockedByBusiness(sql.ref('event_rsvps.user_id'), sql.ref('events.business_id'))

async function unsettledTeams(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select business_id as id from business_blocks join business_members using (business_id, user_id)
    union
    select blocked.business_id from business_person_blocks blocked join business_members members
      on members.business_id = blocked.business_id and members.user_id = blocked.person_id
    union
    select events.business_id from events join event_rsvps on event_rsvps.event_id = events.id
      where events.ends_at > ${now}::timestamptz and ${isGoingDespiteBlock}`.execute(db)
  return idsOf(rows)
}

type PageQuery = { limit: number; cursor?: string | undefined }

/** Tables of blocked and muted people, with the columns of the person or business who acted and of the person affected. */
const peopleMarks = {
  person_blocks: ['blocker_id', 'blocked_id'],
  business_person_blocks: ['business_id', 'person_id'],
  person_mutes: ['user_id', 'muted_id'],
} as const

type Marks = {
  table: keyof typeof peopleMarks
  markedBy: string
  /** Leaves out people with a block between them and this person, in either direction. */
  hiddenFrom?: string
}

async function listMarkedPeople(db: Db, { table, markedBy, hiddenFrom }: Marks, page: PageQuery): Promise<Page<Person>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const [by, marked] = peopleMarks[table]
  const marks = sql<{ person_id: string; marked_by: string; marked_at: Date }>`(
    select ${sql.ref(marked)} as person_id, ${sql.ref(by)} as marked_by, created_at as marked_at from ${sql.table(table)})`
  const rows = await db
    .selectFrom(marks.as('marks'))
    .innerJoin('users', 'users.id', 'marks.person_id')
    .select([...bylineColumns, 'marked_at'])
    .where('marked_by', '=', markedBy)
    .$if(hiddenFrom !== undefined, (query) => query.where(notBlocked(hiddenFrom ?? '', 'users.id')))
    .$call((rows) => newestAfter(rows, 'marked_at', 'person_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.marked_at.toISOString(), row.id])
  return { items: items.map(toPerson), nextCursor }
}

type BusinessMarks = { table: 'business_blocks' | 'business_mutes'; userId: string }

async function listMarkedBusinesses(db: Db, { table, userId }: BusinessMarks, page: PageQuery, now: Date): Promise<Page<BusinessSummary>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom(table)
    .select(['business_id', 'created_at'])
    .where('user_id', '=', userId)
    .$call((rows) => newestAfter(rows, 'created_at', 'business_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.business_id])
  const ids = items.map((row) => row.business_id)
  return { items: await loadSummaries(db, ids, now), nextCursor }
}

/** Feeds and notifications leave out what muted people and businesses publish; nothing else changes, and no one else learns of it. */
export function registerMutes(api: Api): void {
  route(api, contract.mutePerson, ({ ctx, actor, params }) => changePersonMute(ctx, actor.id, params.id, true))
  route(api, contract.unmutePerson, ({ ctx, actor, params }) => changePersonMute(ctx, actor.id, params.id, false))
  route(api, contract.muteBusiness, ({ ctx, actor, params }) => changeBusinessMute(ctx, actor.id, params.id, true))
  route(api, contract.unmuteBusiness, ({ ctx, actor, params }) => changeBusinessMute(ctx, actor.id, params.id, false))
  route(api, contract.listMutedPeople, ({ ctx, actor, query }) =>
    listMarkedPeople(ctx.db, { table: 'person_mutes', markedBy: actor.id, hiddenFrom: actor.id }, query),
  )
  route(api, contract.listMutedBusinesses, ({ ctx, actor, query }) =>
    listMarkedBusinesses(ctx.db, { table: 'business_mutes', userId: actor.id }, query, ctx.clock.now()),
  )
}

/** @throws AppError forbidden, not_found */
async function changePersonMute({ db, clock }: Pick<Ctx, 'db' | 'clock'>, userId: string, personId: string, isMuted: boolean) {
  if (userId === personId) throw new AppError('forbidden', { message: 'You can’t mute yourself.' })
  await inTransaction(db, async (tx) => {
    if (!isMuted) {
      await tx.deleteFrom('person_mutes').where('user_id', '=', userId).where('muted_id', '=', personId).execute()
      return
    }
    const { id } = await requireVisiblePerson(tx, userId, personId)
    await tx
      .insertInto('person_mutes')
      .values({ user_id: userId, muted_id: id, created_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return { id: personId, isMuted }
}

/** @throws AppError not_found */
async function changeBusinessMute({ db, clock }: Pick<Ctx, 'db' | 'clock'>, userId: string, businessId: string, isMuted: boolean) {
  await inTransaction(db, async (tx) => {
    if (!isMuted) {
      await tx.deleteFrom('business_mutes').where('user_id', '=', userId).where('business_id', '=', businessId).execute()
      return
    }
    const { id } = await requireBusiness(tx, businessId, userId)
    await tx
      .insertInto('business_mutes')
      .values({ user_id: userId, business_id: id, created_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return { id: businessId, isMuted }
}
