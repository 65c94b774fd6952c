import { utcDate } from '#contracts/age.ts'
import { type NotificationType, type SwitchedType, topicOf } from '#contracts/notification-types.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { audienceOfComment } from '#server/features/comments/index.ts'
import { mentionedIn } from '#server/features/mentions/index.ts'
import { audienceOf } from '#server/features/posts/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import * as news from './news.queries.ts'
import { type NewNotification, notify, queueDeliveries } from './notify.ts'

/** Each event's subject is read again when the event is handled: the action may have been undone since. */

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>
type Activity = Omit<NewNotification, 'userId' | 'type' | 'actorId'> & {
  /** The person who acted, even for a business; null if irrelevant. */
  doer: string | null
  isByBusiness?: boolean
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'notifications.notify-of-like': { postId: string; userId: string }
    'notifications.notify-of-comment': { commentId: string }
    'notifications.notify-of-mentions': { postId: string | null; commentId: string | null }
    'notifications.notify-of-follow': { personId: string; followerId: string }
    'notifications.notify-of-subscriber': { businessId: string; userId: string }
    'notifications.notify-of-review': { reviewId: string }
    'notifications.notify-of-review-reply': { reviewId: string }
    'notifications.notify-of-helpful': { reviewId: string; userId: string }
    'notifications.notify-of-hunt-share': { huntId: string; personId: string }
    'notifications.notify-of-hunt-comment': { commentId: string }
    'notifications.notify-of-missing-picture': MissingPicture
  }
}

export const activityJobs = (ctx: Ctx) =>
  ({
    'notifications.notify-of-like': (data) => notifyOfLike(ctx, data),
    'notifications.notify-of-comment': (data) => notifyOfComment(ctx, data),
    'notifications.notify-of-mentions': (data) => notifyOfMentions(ctx, data),
    'notifications.notify-of-follow': (data) => notifyOfFollow(ctx, data),
    'notifications.notify-of-subscriber': (data) => notifyOfSubscriber(ctx, data),
    'notifications.notify-of-review': (data) => notifyOfReview(ctx, data),
    'notifications.notify-of-review-reply': (data) => notifyOfReviewReply(ctx, data),
    'notifications.notify-of-helpful': (data) => notifyOfHelpful(ctx, data),
    'notifications.notify-of-hunt-share': (data) => notifyOfHuntShare(ctx, data),
    'notifications.notify-of-hunt-comment': (data) => notifyOfHuntComment(ctx, data),
    'notifications.notify-of-missing-picture': (data) => notifyOfMissingPicture(ctx, data),
  }) satisfies Partial<JobHandlers>

async function notifyOfLike(ctx: Ctx, { postId, userId }: { postId: string; userId: string }): Promise<void> {
  const groupKey = `like:${postId}`
  const [like] = await news.newLike(ctx.db, { postId, userId, groupKey })
  if (!like) return
  await notifyAbout(ctx, (_tx, notifyAll) =>
    notifyAll('like', like.owner_ids, { doer: userId, groupKey, doneAt: like.created_at, isOnce: true, postId }),
  )
}

/** A reply notifies the author of the comment. Every comment notifies the post's author, unless they get the reply or a mention. */
async function notifyOfComment(ctx: Ctx, { commentId }: { commentId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const comment = await news.writtenComment(tx, commentId)
    if (!comment) return
    const { post_id: postId, business_id: businessId } = comment
    const activity = { doer: comment.author_id, isByBusiness: businessId !== null, doneAt: comment.shown_at, isOnce: false, businessId }
    const keyOf = (kind: string) => (businessId ? `${kind}:${businessId}` : kind)

    // Mentioned people are notified of the mention instead.
    const mentioned = await mentionedIn(tx, { commentId })
    const told = await news.filterRecipients(tx, mentioned, {
      doer: comment.author_id,
      isByBusiness: businessId !== null,
      topic: 'mentions',
      now: ctx.clock.now(),
    })
    const writers = await sideOf(tx, comment.parent_author_id, comment.parent_business_id, businessId)
    await notifyAll('reply', without(writers, told), { ...activity, groupKey: keyOf(`reply:${comment.parent_id}`), postId, commentId })
    const owners = await sideOf(tx, comment.post_author_id, comment.post_business_id, businessId)
    await notifyAll('comment', without(owners, [...writers, ...told]), {
      ...activity,
      groupKey: keyOf(`comment:${postId}`),
      postId,
      commentId,
    })
  })
}

const without = (ids: readonly string[], others: readonly string[]): string[] => ids.filter((id) => !others.includes(id))

/**
 * Notifies the people a post or comment mentions, if they can read it: once, however often it is edited. A mention of a business notifies
 * its team.
 */
async function notifyOfMentions(ctx: Ctx, { postId, commentId }: { postId: string | null; commentId: string | null }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const now = ctx.clock.now()
    const text = commentId === null ? postId !== null && (await news.postOf(tx, postId)) : await news.writtenComment(tx, commentId)
    if (!text) return
    const mentioned = await mentionedIn(tx, commentId === null ? { postId: text.post_id } : { commentId })
    const readers =
      commentId === null
        ? [...(await audienceOf(tx, text.post_id, mentioned, now))].flatMap(([id, { isLocked }]) => (isLocked ? [] : [id]))
        : [...(await audienceOfComment(tx, commentId, mentioned, now))]
    await notifyAll(commentId === null ? 'mention' : 'comment_mention', readers, {
      doer: text.author_id,
      isByBusiness: text.business_id !== null,
      groupKey: commentId === null ? `mention:${text.post_id}` : `mention:${commentId}`,
      doneAt: text.changed_at,
      isOnce: true,
      businessId: text.business_id,
      postId: text.post_id,
      commentId,
    })
  })
}

/** The author, or the whole team of the business. A team isn't notified of its own business's actions. */
async function sideOf(tx: Tx, authorId: string | null, businessId: string | null, doingBusinessId: string | null): Promise<string[]> {
  if (businessId === null) return authorId === null ? [] : [authorId]
  return businessId === doingBusinessId ? [] : news.membersOf(tx, businessId)
}

async function notifyOfFollow(ctx: Ctx, { personId, followerId }: { personId: string; followerId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const follow = await news.followOf(tx, personId, followerId)
    if (follow) await notifyAll('follow', [personId], { doer: followerId, groupKey: 'follow', doneAt: follow.created_at, isOnce: true })
  })
}

async function notifyOfSubscriber(ctx: Ctx, { businessId, userId }: { businessId: string; userId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const subscription = await news.subscriptionOf(tx, businessId, userId)
    if (!subscription) return
    await notifyAll('subscriber', await news.membersOf(tx, businessId), {
      doer: userId,
      groupKey: `subscriber:${businessId}`,
      doneAt: subscription.created_at,
      isOnce: true,
      businessId,
    })
  })
}

/** In stars. A team is notified of lower ratings immediately, while the reviewer may still be won back. */
const satisfied = 4

async function notifyOfReview(ctx: Ctx, { reviewId }: { reviewId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const review = await news.reviewOf(tx, reviewId)
    if (!review) return
    const isLow = review.rating < satisfied
    const team = await news.membersOf(tx, review.business_id)
    // One notification per reviewer and day, so that no one can email a team all day by deleting and rewriting a review. An edit can
    // also make a review low.
    const lowKey = `low_review:${review.business_id}:${review.user_id}:${utcDate(review.created_at)}`
    if (isLow) await news.showRewritten(tx, { userIds: team, groupKey: lowKey, reviewId })
    await notifyAll(isLow ? 'low_review' : 'review', team, {
      doer: review.user_id,
      groupKey: isLow ? lowKey : `review:${review.business_id}`,
      doneAt: isLow ? review.changed_at : review.shown_at,
      isOnce: isLow,
      businessId: review.business_id,
      reviewId,
    })
  })
}

async function notifyOfReviewReply(ctx: Ctx, { reviewId }: { reviewId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const review = await news.reviewOf(tx, reviewId)
    if (!review?.replied_at) return
    await notifyAll('review_reply', [review.user_id], {
      // The account may have been deleted; the reply is the business's.
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

async function notifyOfHelpful(ctx: Ctx, { reviewId, userId }: { reviewId: string; userId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const review = await news.reviewOf(tx, reviewId)
    const vote = await news.helpfulVoteOf(tx, reviewId, userId)
    if (!review || !vote) return
    await notifyAll('helpful', [review.user_id], {
      doer: userId,
      groupKey: `helpful:${reviewId}`,
      doneAt: vote.created_at,
      isOnce: true,
      businessId: review.business_id,
      reviewId,
    })
  })
}

async function notifyOfHuntShare(ctx: Ctx, { huntId, personId }: { huntId: string; personId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const share = await news.huntShareOf(tx, huntId, personId)
    if (!share) return
    await notifyAll('hunt_shared', [personId], {
      doer: share.owner_id,
      groupKey: `hunt_shared:${huntId}`,
      doneAt: share.created_at,
      isOnce: true,
      huntId,
    })
  })
}

async function notifyOfHuntComment(ctx: Ctx, { commentId }: { commentId: string }): Promise<void> {
  await notifyAbout(ctx, async (tx, notifyAll) => {
    const comment = await news.huntCommentOf(tx, commentId)
    if (!comment) return
    const { hunt_id: huntId } = comment
    await notifyAll('hunt_comment', [comment.owner_id], {
      doer: comment.author_id,
      groupKey: `hunt_comment:${huntId}`,
      doneAt: comment.created_at,
      isOnce: false,
      huntId,
      huntCommentId: commentId,
    })
  })
}

type MissingPicture = { mediaId: string; postId: string | null; businessId: string | null }

/** Notifies only the person who gave the picture's address. */
async function notifyOfMissingPicture(
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
  await notifyAlways(ctx, 'picture_missing', [picture.owner_id], {
    groupKey: `picture:${mediaId}`,
    actorId: null,
    doneAt: picture.updated_at,
    isOnce: true,
    postId,
    businessId,
    reason: picture.error,
  })
}

export type NotifyAll = (type: SwitchedType, userIds: readonly string[], activity: Activity) => Promise<void>

/** Runs a transaction that notifies people in ID order and queues their emails and pushes, then updates open pages. */
export async function notifyAbout(ctx: Ctx, work: (tx: Tx, notifyAll: NotifyAll) => Promise<void>): Promise<void> {
  const notified = await inTransaction(ctx.db, async (tx) => {
    const userIds = new Set<string>()
    const types = new Set<NotificationType>()
    await work(tx, async (type, candidates, { doer, isByBusiness = false, ...activity }) => {
      const now = ctx.clock.now()
      for (const userId of await news.filterRecipients(tx, candidates, { doer, isByBusiness, topic: topicOf(type), now })) {
        const isNotified = await notify(tx, { ...activity, userId, type, actorId: isByBusiness ? null : doer }, now)
        if (!isNotified) continue
        userIds.add(userId)
        types.add(type)
      }
    })
    await queueDeliveries(ctx.jobs, tx, [...userIds], [...types])
    return [...userIds]
  })
  if (notified.length > 0) await ctx.live.publish({ kind: 'notifications', userIds: notified })
}

/**
 * For types without a setting: notifies everyone affected in the app, unless a block separates them from the actor. `queueMails` is
 * called with the people who weren't notified before.
 */
export async function notifyAlways(
  ctx: Pick<Context, 'db' | 'live' | 'clock'>,
  type: Exclude<NotificationType, SwitchedType>,
  userIds: readonly string[],
  activity: Omit<NewNotification, 'userId' | 'type'>,
  queueMails?: (tx: Tx, userIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const notified = await inTransaction(ctx.db, async (tx) => {
    const reached = activity.actorId === null ? userIds : await news.filterNotBlocked(tx, userIds, activity.actorId)
    const isNotified = async (userId: string) => notify(tx, { ...activity, userId, type }, ctx.clock.now())
    const done: string[] = []
    for (const userId of reached.toSorted()) if (await isNotified(userId)) done.push(userId)
    await queueMails?.(tx, done)
    return done
  })
  if (notified.length > 0) await ctx.live.publish({ kind: 'notifications', userIds: notified })
}
