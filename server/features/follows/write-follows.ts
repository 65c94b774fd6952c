import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { changeFollowersCount, changeFollowingCount, lockPeople, lockPerson } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import {
  blocksBetween,
  businessBlock,
  deleteBusinessFollow,
  deletePersonFollow,
  insertBusinessFollow,
  insertPersonFollow,
  isSubscribed,
  lockBusiness,
} from './follows.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Follows or unfollows a business. Idempotent. @throws AppError not_found, conflict, forbidden */
export async function changeBusinessFollow(ctx: Ctx, personId: string, businessId: string, isFollowing: boolean) {
  await inTransaction(ctx.db, async (tx) => {
    // No count of the business changes, so a shared lock suffices and followers don't block each other.
    if (!(await lockBusiness(tx, businessId))) throw notFound('Business not found.')
    const userId = await lockPerson(tx, personId)
    if (isFollowing) {
      await refuseBlockedBusiness(tx, userId, businessId)
      const isNew = await insertBusinessFollow(tx, { userId, businessId, isImplied: false, now: ctx.clock.now() })
      if (isNew) await countFollow(tx, userId)
    } else {
      if (await isSubscribed(tx, userId, businessId)) {
        throw new AppError('conflict', { message: 'You subscribe to this business, and subscribers follow it. Unsubscribe first.' })
      }
      await removeBusinessFollow(tx, userId, businessId)
    }
  })
  return { id: businessId, isFollowing }
}

/** @throws AppError conflict, forbidden if the business has blocked the person */
export async function refuseBlockedBusiness(db: Db, userId: string, businessId: string): Promise<void> {
  const by = await businessBlock(db, userId, businessId)
  if (by === 'person') throw new AppError('conflict', { message: 'You have blocked this business. Unblock it first.' })
  if (by === 'business') throw new AppError('forbidden', { message: "You can't follow this business or subscribe to it." })
}

/** Adds the follow implied by a subscription, unless there is one. @throws AppError conflict */
export async function addImpliedFollow(tx: Tx, userId: Locked<'users'>, businessId: string, now: Date): Promise<void> {
  if (await insertBusinessFollow(tx, { userId, businessId, isImplied: true, now })) await countFollow(tx, userId)
}

/** Removes the follow implied by a subscription; an explicit follow stays. */
export async function removeImpliedFollow(tx: Tx, userId: Locked<'users'>, businessId: string): Promise<void> {
  if (await deleteBusinessFollow(tx, userId, businessId, 'implied')) await changeFollowingCount(tx, userId, -1)
}

/** Removes a follow, if any, and updates the count. The person must not be subscribed. */
export async function removeBusinessFollow(tx: Tx, userId: Locked<'users'>, businessId: string): Promise<void> {
  if (await deleteBusinessFollow(tx, userId, businessId)) await changeFollowingCount(tx, userId, -1)
}

/** Follows or unfollows a person. Idempotent. @throws AppError forbidden, not_found, conflict */
export async function changePersonFollow(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  followerId: string,
  personId: string,
  isFollowing: boolean,
) {
  if (followerId === personId) throw new AppError('forbidden', { message: "You can't follow yourself." })
  await inTransaction(ctx.db, async (tx) => {
    // Blocks lock the same two rows, so a concurrent block can't invalidate what is read below.
    const [follower, person] = await lockPeople(tx, [followerId, personId])
    if (!follower || !person) throw absent()
    const blocks = await blocksBetween(tx, followerId, personId)
    // Check the viewer's own block first: the response must not reveal whether the other person blocks too.
    if (blocks.byViewer && isFollowing) {
      throw new AppError('conflict', { message: 'You have blocked this person. Unblock them first, then follow them.' })
    }
    if (blocks.byPerson && !blocks.byViewer) throw absent()
    if (!isFollowing) return removePersonFollow(tx, follower, person)
    if (!(await insertPersonFollow(tx, followerId, personId, ctx.clock.now()))) return
    await countFollow(tx, follower)
    await changeFollowersCount(tx, personId, 1)
    await ctx.events.publish(tx, 'person.followed', { personId, followerId })
  })
  return { id: personId, isFollowing }
}

const absent = () => notFound("This person can't be found or isn't visible to you.")

/** Removes a follow, if any, and updates the counts. */
export async function removePersonFollow(tx: Tx, followerId: Locked<'users'>, personId: Locked<'users'>): Promise<void> {
  if (!(await deletePersonFollow(tx, followerId, personId))) return
  await changeFollowingCount(tx, followerId, -1)
  await changeFollowersCount(tx, personId, -1)
}

/** Limit for people and businesses together, because every feed read scans all of them. */
const maxFollowed = 10_000

/** Increments the following count, or rolls back the transaction at the limit. @throws AppError conflict */
async function countFollow(tx: Tx, userId: Locked<'users'>): Promise<void> {
  if ((await changeFollowingCount(tx, userId, 1)) <= maxFollowed) return
  throw new AppError('conflict', {
    message: `You already follow ${maxFollowed.toLocaleString('en-US')}, the most you can. Unfollow some first.`,
  })
}

const batch = 100

/** Follows between people in both directions, and follows of businesses; runs after the subscriptions that imply them. */
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
