import type { NotificationType } from '../../../contracts/notifications.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { queueDeliveries } from './deliveries.ts'
import * as news from './news.queries.ts'
import { type News, tell } from './tell.ts'
import { type SwitchedType, topicOf } from './topics.ts'

/** What a deed means for those it concerns. Each is read anew: it may have been taken back since. */

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>
type Deed = Omit<News, 'userId' | 'type' | 'actorId'> & {
  /** The account that did it, under its own name or a business's; null where it does not matter who. */
  doer: string | null
  isByBusiness?: boolean
}

export async function tellOfLike(ctx: Ctx, { postId, userId }: { postId: string; userId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const like = await news.likedPost(tx, postId, userId)
    if (!like) return
    const { business_id: businessId } = like
    await tellAll('like', businessId ? await news.membersOf(tx, businessId) : [like.author_id], {
      doer: userId,
      groupKey: `like:${postId}`,
      doneAt: like.created_at,
      isOnce: true,
      postId,
    })
  })
}

/** A reply is told to who wrote the comment; and like a comment, to whose post it is. */
export async function tellOfComment(ctx: Ctx, { commentId }: { commentId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const comment = await news.writtenComment(tx, commentId)
    if (!comment) return
    const { post_id: postId, business_id: businessId } = comment
    const deed = { doer: comment.author_id, isByBusiness: businessId !== null, doneAt: comment.created_at, isOnce: false, businessId }
    const keyOf = (kind: string) => (businessId ? `${kind}:${businessId}` : kind)

    const writers = await sideOf(tx, comment.parent_author_id, comment.parent_business_id, businessId)
    await tellAll('reply', writers, { ...deed, groupKey: keyOf(`reply:${comment.parent_id}`), postId, commentId })
    const owners = await sideOf(tx, comment.post_author_id, comment.post_business_id, businessId)
    await tellAll(
      'comment',
      owners.filter((id) => !writers.includes(id)),
      { ...deed, groupKey: keyOf(`comment:${postId}`), postId, commentId },
    )
  })
}

/** Those behind what was written: its author, or everybody of its business, who know of their own business's doings. */
async function sideOf(tx: Tx, authorId: string | null, businessId: string | null, doingBusinessId: string | null): Promise<string[]> {
  if (businessId === null) return authorId === null ? [] : [authorId]
  return businessId === doingBusinessId ? [] : news.membersOf(tx, businessId)
}

export async function tellOfFollow(ctx: Ctx, { personId, followerId }: { personId: string; followerId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const follow = await news.followOf(tx, personId, followerId)
    if (follow) await tellAll('follow', [personId], { doer: followerId, groupKey: 'follow', doneAt: follow.created_at, isOnce: true })
  })
}

export async function tellOfSubscriber(ctx: Ctx, { businessId, userId }: { businessId: string; userId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const subscription = await news.subscriptionOf(tx, businessId, userId)
    if (!subscription) return
    await tellAll('subscriber', await news.membersOf(tx, businessId), {
      doer: userId,
      groupKey: `subscriber:${businessId}`,
      doneAt: subscription.created_at,
      isOnce: true,
      businessId,
    })
  })
}

export async function tellOfReview(ctx: Ctx, { reviewId }: { reviewId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const review = await news.reviewOf(tx, reviewId)
    if (!review) return
    await tellAll('review', await news.membersOf(tx, review.business_id), {
      doer: review.user_id,
      groupKey: `review:${review.business_id}`,
      doneAt: review.created_at,
      isOnce: false,
      businessId: review.business_id,
      reviewId,
    })
  })
}

export async function tellOfReviewReply(ctx: Ctx, { reviewId }: { reviewId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const review = await news.reviewOf(tx, reviewId)
    if (!review?.replied_at) return
    await tellAll('review_reply', [review.user_id], {
      // Whose account it was may be gone; it is the business that speaks.
      doer: review.replied_by ?? review.business_id,
      isByBusiness: true,
      groupKey: `review_reply:${reviewId}:${review.replied_at.getTime()}`,
      doneAt: review.replied_at,
      isOnce: true,
      businessId: review.business_id,
      reviewId,
    })
  })
}

export async function tellOfHelpful(ctx: Ctx, { reviewId, userId }: { reviewId: string; userId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const review = await news.reviewOf(tx, reviewId)
    const vote = await news.helpfulVoteOf(tx, reviewId, userId)
    if (!review || !vote) return
    await tellAll('helpful', [review.user_id], {
      doer: userId,
      groupKey: `helpful:${reviewId}`,
      doneAt: vote.created_at,
      isOnce: true,
      businessId: review.business_id,
      reviewId,
    })
  })
}

/** To whom it is shared with. */
export async function tellOfHuntShare(ctx: Ctx, { huntId, personId }: { huntId: string; personId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const share = await news.huntShareOf(tx, huntId, personId)
    if (!share) return
    await tellAll('hunt_shared', [personId], {
      doer: share.owner_id,
      groupKey: `hunt_shared:${huntId}`,
      doneAt: share.created_at,
      isOnce: true,
      huntId,
    })
  })
}

/** To whose hunt it is. */
export async function tellOfHuntComment(ctx: Ctx, { commentId }: { commentId: string }): Promise<void> {
  await telling(ctx, async (tx, tellAll) => {
    const comment = await news.huntCommentOf(tx, commentId)
    if (!comment) return
    const { hunt_id: huntId } = comment
    await tellAll('hunt_comment', [comment.owner_id], {
      doer: comment.author_id,
      groupKey: `hunt_comment:${huntId}`,
      doneAt: comment.created_at,
      isOnce: false,
      huntId,
      huntCommentId: commentId,
    })
  })
}

export type MissingPicture = { mediaId: string; postId: string | null; businessId: string | null }

/** Notifies the person who gave the address of a picture, and no one else, that it can't be shown and why. */
export async function tellOfMissingPicture(
  ctx: Pick<Context, 'db' | 'live' | 'clock'>,
  { mediaId, postId, businessId }: MissingPicture,
): Promise<void> {
  const picture = await ctx.db
    .selectFrom('media')
    .select(['owner_id', 'error', 'updated_at'])
    .where('id', '=', mediaId)
    .where('status', '=', 'failed')
    .executeTakeFirst()
  if (!picture?.owner_id) return
  await tellingAlways(ctx, 'picture_missing', [picture.owner_id], {
    groupKey: `picture:${mediaId}`,
    actorId: null,
    doneAt: picture.updated_at,
    isOnce: true,
    postId,
    businessId,
    reason: picture.error,
  })
}

export type TellAll = (type: SwitchedType, userIds: readonly string[], deed: Deed) => Promise<void>

/** A transaction in which people are told, in the order of their ids; after it, open pages and the other channels hear of it. */
export async function telling(ctx: Ctx, work: (tx: Tx, tellAll: TellAll) => Promise<void>): Promise<void> {
  const told = await inTransaction(ctx.db, async (tx) => {
    const userIds = new Set<string>()
    await work(tx, async (type, candidates, { doer, isByBusiness = false, ...deed }) => {
      const now = ctx.clock.now()
      for (const userId of await news.listeners(tx, candidates, { doer, isByBusiness, topic: topicOf(type), now })) {
        const isTold = await tell(tx, { ...deed, userId, type, actorId: isByBusiness ? null : doer }, now)
        if (isTold) userIds.add(userId)
      }
    })
    await queueDeliveries(ctx.jobs, tx, [...userIds])
    return [...userIds]
  })
  if (told.length > 0) await ctx.live.publish({ kind: 'notifications', userIds: told })
}

/** What hangs on no switch: everybody of these is told in the app, unless one of the two has blocked the other. */
export async function tellingAlways(
  ctx: Pick<Context, 'db' | 'live' | 'clock'>,
  type: Exclude<NotificationType, SwitchedType>,
  userIds: readonly string[],
  deed: Omit<News, 'userId' | 'type'>,
): Promise<void> {
  const told = await inTransaction(ctx.db, async (tx) => {
    const reached = deed.actorId === null ? userIds : await news.notBlockedAmong(tx, userIds, deed.actorId)
    const isTold = async (userId: string) => tell(tx, { ...deed, userId, type }, ctx.clock.now())
    const done: string[] = []
    for (const userId of reached.toSorted()) if (await isTold(userId)) done.push(userId)
    return done
  })
  if (told.length > 0) await ctx.live.publish({ kind: 'notifications', userIds: told })
}
