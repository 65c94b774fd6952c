import { type RawBuilder, sql } from 'kysely'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { figure } from '#contracts/fields.ts'
import * as contract from '#contracts/people.endpoints.ts'
import type { PersonInList } from '#contracts/people.ts'
import { compileOnce, type Slots } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { loadSummaries, lockAgainstDeletion } from '#server/features/businesses/index.ts'
import {
  businessNotBlocked,
  bylineColumns,
  changeFollowingCount,
  countPersonFollow,
  lockPeople,
  lockPerson,
  notBlocked,
  requireOpenProfile,
  toPerson,
  type VisiblePerson,
} from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { type Api, route } from '#server/kernel/route.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'person.followed': { personId: string; followerId: string }
  }
}

export function registerFollows(api: Api): void {
  route(api, contract.followPerson, ({ ctx, actor, params }) => changePersonFollow(ctx, actor.id, params.id, true))
  route(api, contract.unfollowPerson, ({ ctx, actor, params }) => changePersonFollow(ctx, actor.id, params.id, false))
  route(api, contract.followBusiness, ({ ctx, actor, params }) => changeBusinessFollow(ctx, actor.id, params.id, true))
  route(api, contract.unfollowBusiness, ({ ctx, actor, params }) => changeBusinessFollow(ctx, actor.id, params.id, false))
  route(api, contract.listFollowers, ({ ctx, actor, params, query }) => listFollowers(ctx.db, actor.id, params.id, query))
  route(api, contract.listFollowedPeople, ({ ctx, actor, params, query }) => listFollowedPeople(ctx.db, actor.id, params.id, query))
  route(api, contract.listFollowedBusinesses, ({ ctx, actor, params, query }) =>
    listFollowedBusinesses(ctx.db, actor.id, params.id, query, ctx.clock.now()),
  )
}

type Ctx = Pick<Context, 'db' | 'clock'>

/** Idempotent. @throws AppError not_found, conflict, forbidden */
export async function changeBusinessFollow(ctx: Ctx, personId: string, businessId: string, isFollowing: boolean) {
  await inTransaction(ctx.db, async (tx) => {
    // The business's counts don't change, so a shared lock suffices and followers don't block each other. People can unfollow a business
    // that moderators have hidden.
    await lockAgainstDeletion(tx, businessId, { mayBeHidden: !isFollowing })
    const userId = await lockPerson(tx, personId)
    if (isFollowing) {
      await refuseBlockedBusiness(tx, userId, businessId)
      const isNew = await insertBusinessFollow(tx, { userId, businessId, isImplied: false, now: ctx.clock.now() })
      if (isNew) await countFollow(tx, userId)
    } else {
      if (await isSubscribed(tx, userId, businessId)) {
        throw new AppError('conflict', { message: 'You subscribe to this business, and subscribers follow it. Unsubscribe first.' })
      }
      await removeBusinessFollow(tx, userId, businessId, ctx.clock.now())
    }
  })
  return { id: businessId, isFollowing }
}

/** @throws AppError conflict, forbidden if the business has blocked the person */
export async function refuseBlockedBusiness(db: Db, userId: string, businessId: string): Promise<void> {
  const by = await businessBlock(db, userId, businessId)
  if (by === 'person') throw new AppError('conflict', { message: 'You have blocked this business. Unblock it first.' })
  if (by === 'business') throw new AppError('forbidden', { message: 'You can’t follow this business or subscribe to it.' })
}

/** Adds the follow implied by a subscription if there is none. @throws AppError conflict */
export async function addImpliedFollow(tx: Tx, userId: Locked<'users'>, businessId: string, now: Date): Promise<void> {
  if (await insertBusinessFollow(tx, { userId, businessId, isImplied: true, now })) await countFollow(tx, userId)
}

/** Leaves an explicit follow in place. */
export async function removeImpliedFollow(tx: Tx, userId: Locked<'users'>, businessId: string): Promise<void> {
  if (await deleteImpliedFollow(tx, userId, businessId)) await changeFollowingCount(tx, userId, -1)
}

/** The person must not be subscribed. */
export async function removeBusinessFollow(tx: Tx, userId: Locked<'users'>, businessId: string, now: Date): Promise<void> {
  if (await deleteBusinessFollow(tx, userId, businessId, now)) await changeFollowingCount(tx, userId, -1)
}

/** Idempotent. @throws AppError forbidden, not_found, conflict */
export async function changePersonFollow(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  followerId: string,
  personId: string,
  isFollowing: boolean,
) {
  if (followerId === personId) throw new AppError('forbidden', { message: 'You can’t follow yourself.' })
  await inTransaction(ctx.db, async (tx) => {
    // Blocks lock the same two rows, so a concurrent block can't invalidate the rows read below.
    const [follower, person] = await lockPeople(tx, [followerId, personId])
    if (!follower || !person) throw personNotFound()
    const [change] = await (isFollowing ? followUnlessBlocked : unfollowUnlessBlocked)(tx, { followerId, personId, now: ctx.clock.now() })
    // Check the viewer's own block first: the response must not reveal whether the other person has also blocked them.
    if (change?.by_viewer && isFollowing) {
      throw new AppError('conflict', { message: 'You have blocked this person. Unblock them first, then follow them.' })
    }
    if (change?.by_person && !change.by_viewer) throw personNotFound()
    if (!change?.is_changed) return
    const following = await countPersonFollow(tx, follower, person, isFollowing ? 1 : -1)
    if (!isFollowing) return
    requireRoom(following)
    await ctx.events.publish(tx, 'person.followed', { personId, followerId })
  })
  return { id: personId, isFollowing }
}

const personNotFound = () => notFound('This person can’t be found or isn’t visible to you.')

export async function removePersonFollow(tx: Tx, followerId: Locked<'users'>, personId: Locked<'users'>): Promise<void> {
  if (await deletePersonFollow(tx, followerId, personId)) await countPersonFollow(tx, followerId, personId, -1)
}

/** Limit for people and businesses together, because every feed read scans all of them. */
const maxFollowed = 10_000

/** Rolls back the transaction at the limit. @throws AppError conflict */
async function countFollow(tx: Tx, userId: Locked<'users'>): Promise<void> {
  requireRoom(await changeFollowingCount(tx, userId, 1))
}

/** Call after counting the new follow. @throws AppError conflict */
function requireRoom(followingCount: number): void {
  if (followingCount <= maxFollowed) return
  throw new AppError('conflict', {
    message: `You already follow ${figure(maxFollowed)}, the most you can. Unfollow some first.`,
  })
}

const batch = 100

/** Erases follows in both directions. Runs after the erasure of subscriptions, which imply follows. */
export const eraseFollows: EraseStep = {
  name: 'follows',
  async eraseSome(ctx, { id }) {
    const { rows } = await sql<{ other: string }>`
      (select person_id as other from person_follows where follower_id = ${id}::uuid limit ${batch}::int)
      union (select follower_id from person_follows where person_id = ${id}::uuid limit ${batch}::int)`.execute(ctx.db)
    return inTransaction(ctx.db, async (tx) => {
      const [person, ...others] = await lockPeople(tx, [id, ...rows.map(({ other }) => other)])
      if (!person) return 0
      for (const other of others) {
        if (!other) continue
        await removePersonFollow(tx, person, other)
        await removePersonFollow(tx, other, person)
      }
      const businesses = await tx.deleteFrom('business_follows').where('user_id', '=', id).executeTakeFirstOrThrow()
      const count = Number(businesses.numDeletedRows)
      if (count > 0) await changeFollowingCount(tx, id, -count)
      return rows.length + count
    })
  },
}

type PersonFollow = { followerId: string; personId: string; now: Date }
type FollowChange = { by_viewer: boolean; by_person: boolean; is_changed: boolean }

/**
 * Changes a follow in the same statement that reads the blocks between the two people. The rows of both people must be locked. `change`
 * reads from `blocks`.
 */
const changeUnlessBlocked = (change: (follow: Slots<PersonFollow>) => RawBuilder<unknown>) =>
  compileOnce(['followerId', 'personId', 'now'], (_db, follow: Slots<PersonFollow>) => {
    const [one, other] = [sql`${follow.followerId}::uuid`, sql`${follow.personId}::uuid`]
    return sql<FollowChange>`
      with blocks as materialized (
        select coalesce(bool_or(blocker_id = ${one}), false) as by_viewer, coalesce(bool_or(blocker_id = ${other}), false) as by_person
        from person_blocks where (blocker_id, blocked_id) in ((${one}, ${other}), (${other}, ${one}))
      ), changed as (${change(follow)})
      select blocks.*, exists (select from changed) as is_changed from blocks`
  })

const followUnlessBlocked = changeUnlessBlocked(
  ({ followerId, personId, now }) => sql`
    insert into person_follows (follower_id, person_id, created_at)
    select ${followerId}::uuid, ${personId}::uuid, ${now}::timestamptz from blocks where not by_viewer and not by_person
    on conflict do nothing returning person_id`,
)
const unfollowUnlessBlocked = changeUnlessBlocked(
  ({ followerId, personId }) => sql`
    delete from person_follows using blocks
    where follower_id = ${followerId}::uuid and person_id = ${personId}::uuid and (by_viewer or not by_person) returning person_id`,
)

/** Returns false if there was no follow. */
async function deletePersonFollow(tx: Tx, followerId: string, personId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('person_follows')
    .where('follower_id', '=', followerId)
    .where('person_id', '=', personId)
    .returning('person_id')
    .executeTakeFirst()
  return removed !== undefined
}

type BusinessFollow = { userId: string; businessId: string; isImplied: boolean; now: Date }

/**
 * Following again within two weeks keeps the original follow date. An explicit follow makes an implied one explicit, but not vice versa.
 * Returns false if the person already followed the business.
 */
async function insertBusinessFollow(tx: Tx, { userId, businessId, isImplied, now }: BusinessFollow): Promise<boolean> {
  const added = await tx
    .insertInto('business_follows')
    .values({
      user_id: userId,
      business_id: businessId,
      is_implied: isImplied,
      created_at: sql<Date>`coalesce((
        select followed_at from ended_follows
        where user_id = ${userId}::uuid and business_id = ${businessId}::uuid), ${now}::timestamptz)`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (added) return true
  if (!isImplied) {
    await tx
      .updateTable('business_follows')
      .set({ is_implied: false })
      .where('user_id', '=', userId)
      .where('business_id', '=', businessId)
      .where('is_implied', '=', true)
      .execute()
  }
  return false
}

/** Returns false if there was no follow. Records only explicit follows as ended, because implied ones don't count as new followers. */
async function deleteBusinessFollow(tx: Tx, userId: string, businessId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with removed as (
      delete from business_follows where user_id = ${userId}::uuid and business_id = ${businessId}::uuid
      returning user_id, business_id, is_implied, created_at
    ),
    remembered as (
      insert into ended_follows (user_id, business_id, followed_at, ended_at)
      select user_id, business_id, created_at, ${now}::timestamptz from removed where not is_implied
      on conflict (user_id, business_id) do update set ended_at = excluded.ended_at
    )
    select from removed`.execute(tx)
  return rows.length > 0
}

/** Leaves an explicit follow in place. Returns false if there was no implied one. */
async function deleteImpliedFollow(tx: Tx, userId: string, businessId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('business_follows')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .where('is_implied', '=', true)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

/** Which of the two has blocked the other; 'person' if both have. */
export async function businessBlock(db: Db, userId: string, businessId: string): Promise<'person' | 'business' | null> {
  const { rows } = await sql<{ by_person: boolean; by_business: boolean }>`
    select exists (select from business_blocks where user_id = ${userId}::uuid and business_id = ${businessId}::uuid) as by_person,
      exists (select from business_person_blocks where person_id = ${userId}::uuid and business_id = ${businessId}::uuid) as by_business`.execute(
    db,
  )
  return rows[0]?.by_person ? 'person' : rows[0]?.by_business ? 'business' : null
}

async function isSubscribed(tx: Tx, userId: string, businessId: string): Promise<boolean> {
  const subscription = await tx
    .selectFrom('subscriptions')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return subscription !== undefined
}

type PageQuery = { limit: number; cursor?: string | undefined }
type After = readonly [createdAt: string, id: string] | null

/** Newest first. @throws AppError not_found, forbidden, invalid_input about the cursor */
const listFollowers = (db: Db, viewerId: string, personId: string, page: PageQuery) => listPeople(db, viewerId, personId, page, followerIds)

/** Newest first. @throws AppError not_found, forbidden, invalid_input about the cursor */
const listFollowedPeople = (db: Db, viewerId: string, personId: string, page: PageQuery) =>
  listPeople(db, viewerId, personId, page, followedIds)

/** Newest first. @throws AppError not_found, forbidden, invalid_input about the cursor */
async function listFollowedBusinesses(
  db: Db,
  viewerId: string,
  personId: string,
  page: PageQuery,
  now: Date,
): Promise<Page<BusinessSummary>> {
  const person = await requireOpenProfile(db, viewerId, personId)
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('business_follows')
    .select(['business_id', 'created_at'])
    .where('user_id', '=', person.id)
    .where(businessNotBlocked(viewerId, 'business_follows.business_id'))
    .$call((rows) => newestAfter(rows, 'created_at', 'business_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.business_id])
  const ids = items.map((row) => row.business_id)
  return { items: await loadSummaries(db, ids, now), nextCursor }
}

type Row = { id: string; created_at: Date }
type ReadIds = (db: Db, person: VisiblePerson, viewerId: string, after: After, limit: number) => Promise<Row[]>

async function listPeople(db: Db, viewerId: string, personId: string, page: PageQuery, readIds: ReadIds): Promise<Page<PersonInList>> {
  const person = await requireOpenProfile(db, viewerId, personId)
  const rows = await readIds(db, person, viewerId, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  const people = await loadPeople(
    db,
    viewerId,
    items.map((row) => row.id),
  )
  return { items: people, nextCursor }
}

const followerIds: ReadIds = (db, person, viewerId, after, limit) =>
  db
    .selectFrom('person_follows')
    .innerJoin('users', 'users.id', 'follower_id')
    .select(['follower_id as id', 'person_follows.created_at'])
    .where('person_id', '=', person.id)
    .where(mayAppearInList(person, viewerId))
    .$call((rows) => newestAfter(rows, 'person_follows.created_at', 'follower_id', after))
    .limit(limit)
    .execute()

const followedIds: ReadIds = (db, person, viewerId, after, limit) =>
  db
    .selectFrom('person_follows')
    .innerJoin('users', 'users.id', 'person_id')
    .select(['person_id as id', 'person_follows.created_at'])
    .where('follower_id', '=', person.id)
    .where(mayAppearInList(person, viewerId))
    .$call((rows) => newestAfter(rows, 'person_follows.created_at', 'person_id', after))
    .limit(limit)
    .execute()

/** People see all of their own list. Other lists show public profiles and the viewer, without blocked people. */
function mayAppearInList(person: VisiblePerson, viewerId: string) {
  if (person.isSelf) return sql<boolean>`true`
  return sql<boolean>`(users.is_profile_public or users.id = ${viewerId}) and ${notBlocked(viewerId, 'users.id')}`
}

/** In the order of the IDs. */
async function loadPeople(db: Db, viewerId: string, ids: string[]): Promise<PersonInList[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .leftJoin('person_follows', (join) => join.onRef('person_id', '=', 'users.id').on('follower_id', '=', viewerId))
    .select([...bylineColumns, 'person_follows.person_id as followed_id'])
    .where(sql<boolean>`users.id = any(${ids}::uuid[])`)
    .execute()
  const people = new Map(
    rows.map((row) => [row.id, { ...toPerson(row), isFollowing: row.followed_id !== null, isSelf: row.id === viewerId }]),
  )
  return ids.flatMap((id) => people.get(id) ?? [])
}
