import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import * as events from './announce-event.ts'
import { type AnnounceMenu, announceMenu, notifyOfMenu } from './announce-menu.ts'
import { type AnnouncePost, announcePost } from './announce-post.ts'
import type { NotificationOwners } from './notification-types.ts'
import * as activity from './notify-activity.ts'
import * as communities from './notify-people.ts'
import { notifyOfAppeal, notifyOfLicense, notifyOfMessage, notifyOfModeration } from './notify-people.ts'
import { type PushToSend, pushDue, sendPush } from './pushes.ts'
import { type DigestBatch, type MailDue, type MailToSend, mailDue, mailUrgentDue, sendDigests, sendMail } from './send-mails.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'notifications.announce-post': AnnouncePost
    'notifications.tell-of-new-product': { businessId: string }
    'notifications.tell-of-changed-product': { businessId: string }
    'notifications.announce-menu': AnnounceMenu
    'notifications.tell-of-like': { postId: string; userId: string }
    'notifications.tell-of-comment': { commentId: string }
    'notifications.tell-of-follow': { personId: string; followerId: string }
    'notifications.tell-of-subscriber': { businessId: string; userId: string }
    'notifications.tell-of-review': { reviewId: string }
    'notifications.tell-of-review-reply': { reviewId: string }
    'notifications.tell-of-helpful': { reviewId: string; userId: string }
    'notifications.tell-of-hunt-share': { huntId: string; personId: string }
    'notifications.tell-of-hunt-comment': { commentId: string }
    'notifications.tell-of-community-request': { communityId: string; userId: string }
    'notifications.tell-of-community-join': { communityId: string; userId: string }
    'notifications.tell-of-community-invitation': { invitationId: string }
    'notifications.tell-of-accepted-answer': { postId: string }
    'notifications.tell-of-message': { messageId: string }
    'notifications.tell-of-moderation': { actionId: string }
    'notifications.tell-of-appeal': { appealId: string }
    'notifications.tell-of-missing-picture': activity.MissingPicture
    'notifications.tell-of-license': { verificationId: string; change: 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven' }
    'notifications.announce-event': events.AnnounceEvent
    'notifications.tell-of-changed-event': events.ChangedEvent
    'notifications.tell-of-canceled-event': events.AnnounceEvent
    'notifications.remind-of-event': events.DueEvent
    'notifications.mail-due': MailDue
    'notifications.mail-urgent-due': MailDue
    'notifications.mail': MailToSend
    'notifications.mail-urgent': MailToSend
    'notifications.digests': DigestBatch
    'notifications.push-due': { userIds: string[] }
    'notifications.push': PushToSend
    'notifications.purge': Record<string, never>
  }
}

type NotificationJob = Extract<JobName, `notifications.${string}`>

export function notificationJobs(ctx: Context, owners: NotificationOwners): Pick<JobHandlers, NotificationJob> {
  return {
    'notifications.announce-post': (data) => announcePost(ctx, data),
    'notifications.tell-of-new-product': ({ businessId }) => notifyOfMenu(ctx, businessId, 'new_product'),
    'notifications.tell-of-changed-product': ({ businessId }) => notifyOfMenu(ctx, businessId, 'product_update'),
    'notifications.announce-menu': (data) => announceMenu(ctx, data),
    'notifications.tell-of-like': (data) => activity.notifyOfLike(ctx, data),
    'notifications.tell-of-comment': (data) => activity.notifyOfComment(ctx, data),
    'notifications.tell-of-follow': (data) => activity.notifyOfFollow(ctx, data),
    'notifications.tell-of-subscriber': (data) => activity.notifyOfSubscriber(ctx, data),
    'notifications.tell-of-review': (data) => activity.notifyOfReview(ctx, data),
    'notifications.tell-of-review-reply': (data) => activity.notifyOfReviewReply(ctx, data),
    'notifications.tell-of-helpful': (data) => activity.notifyOfHelpful(ctx, data),
    'notifications.tell-of-hunt-share': (data) => activity.notifyOfHuntShare(ctx, data),
    'notifications.tell-of-hunt-comment': (data) => activity.notifyOfHuntComment(ctx, data),
    'notifications.tell-of-community-request': (data) => communities.notifyOfRequest(ctx, data),
    'notifications.tell-of-community-join': (data) => communities.notifyOfJoin(ctx, data),
    'notifications.tell-of-community-invitation': (data) => communities.notifyOfInvitation(ctx, data),
    'notifications.tell-of-accepted-answer': (data) => communities.notifyOfAcceptedAnswer(ctx, data),
    'notifications.tell-of-message': (data) => notifyOfMessage(ctx, data),
    'notifications.tell-of-moderation': (data) => notifyOfModeration(ctx, data),
    'notifications.tell-of-appeal': (data) => notifyOfAppeal(ctx, data),
    'notifications.tell-of-missing-picture': (data) => activity.notifyOfMissingPicture(ctx, data),
    'notifications.tell-of-license': (data) => notifyOfLicense(ctx, data),
    'notifications.announce-event': (data) => events.announceEvent(ctx, data),
    'notifications.tell-of-changed-event': (data) => events.notifyOfChangedEvent(ctx, data),
    'notifications.tell-of-canceled-event': (data) => events.notifyOfCanceledEvent(ctx, data),
    'notifications.remind-of-event': (data) => events.remindOfEvent(ctx, data),
    'notifications.mail-due': (data) => mailDue(ctx, owners, data),
    'notifications.mail-urgent-due': (data) => mailUrgentDue(ctx, owners, data),
    'notifications.mail': (data) => sendMail(ctx, owners, data),
    'notifications.mail-urgent': (data) => sendMail(ctx, owners, data),
    'notifications.digests': (data) => sendDigests(ctx, owners, data),
    'notifications.push-due': (data) => pushDue(ctx, owners, data),
    'notifications.push': (data) => sendPush(ctx, data),
    'notifications.purge': () => purge(ctx.db, ctx.clock.now()),
  }
}

export const notificationSchedules: readonly JobSchedule[] = [
  { name: 'notifications.digests', cron: '2 * * * *', data: {} },
  { name: 'notifications.purge', cron: '41 4 * * *', data: {} },
]

const retentionDays = 180
const batch = 5_000

/** Deletes old read notifications in small batches. */
async function purge(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * 86_400_000)
  for (let removed = batch; removed >= batch; ) {
    const { numAffectedRows } = await sql`
      delete from notifications where id in (
        select id from notifications where is_read and created_at < ${before}::timestamptz limit ${batch})`.execute(db)
    removed = Number(numAffectedRows ?? 0)
  }
}
