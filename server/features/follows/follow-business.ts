import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { changeFollowingCount, lockPeople } from '../people/index.ts'
import { countFollow } from './count-follow.ts'
import { businessBlock, deleteBusinessFollow, holdBusiness, insertBusinessFollow, isSubscribed } from './follows.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Follows a business or ends that; where it is so already, nothing changes. @throws AppError not_found, conflict, forbidden */
export async function changeBusinessFollow(ctx: Ctx, userId: string, businessId: string, isFollowing: boolean) {
  await inTransaction(ctx.db, async (tx) => {
    // No count of the business changes, so its followers do not wait for each other.
    if (!(await holdBusiness(tx, businessId))) throw notFound('Business not found.')
    await lockPeople(tx, [userId])
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

/** The person is locked by the caller, as by a block. @throws AppError conflict, forbidden where the business has blocked the person */
export async function refuseBlockedBusiness(tx: Tx, userId: string, businessId: string): Promise<void> {
  const by = await businessBlock(tx, userId, businessId)
  if (by === 'person') throw new AppError('conflict', { message: 'You have blocked this business. Unblock it first.' })
  if (by === 'business') throw new AppError('forbidden', { message: "You can't follow this business or subscribe to it." })
}

/** The follow that a subscription brings along, unless the person follows already. The person is locked by the caller. @throws AppError conflict */
export async function addImpliedFollow(tx: Tx, userId: string, businessId: string, now: Date): Promise<void> {
  if (await insertBusinessFollow(tx, { userId, businessId, isImplied: true, now })) await countFollow(tx, userId)
}

/** What a subscription brought along goes with it; a follow that the person chose stays. The person is locked by the caller. */
export async function removeImpliedFollow(tx: Tx, userId: string, businessId: string): Promise<void> {
  if (await deleteBusinessFollow(tx, userId, businessId, 'implied')) await changeFollowingCount(tx, userId, -1)
}

/** Ends a follow with its count, if there is one. The person is locked by the caller, and does not subscribe. */
export async function removeBusinessFollow(tx: Tx, userId: string, businessId: string): Promise<void> {
  if (await deleteBusinessFollow(tx, userId, businessId)) await changeFollowingCount(tx, userId, -1)
}
