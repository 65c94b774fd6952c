import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '../../kernel/jobs.ts'
import * as events from './announce-event.ts'
import { type AnnounceMenu, announceMenu, tellOfMenu } from './announce-menu.ts'
import { type AnnouncePost, announcePost } from './announce-post.ts'
import { type DigestBatch, sendDigests } from './digests.ts'
import { type PushToSend, pushDue, sendPush } from './pushes.ts'
import { type MailDue, type MailToSend, mailDue, sendMail } from './send-mails.ts'
import * as communities from './tell-of-communities.ts'
import * as deeds from './tell-of-events.ts'
import { tellOfLicense } from './tell-of-license.ts'
import { tellOfMessage } from './tell-of-message.ts'
import { tellOfAppeal, tellOfModeration } from './tell-of-moderation.ts'

declare module '../../kernel/jobs.ts' {
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
    'notifications.tell-of-missing-picture': deeds.MissingPicture
    'notifications.tell-of-license': { verificationId: string; change: 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven' }
    'notifications.announce-event': events.AnnounceEvent
    'notifications.tell-of-changed-event': events.ChangedEvent
    'notifications.tell-of-canceled-event': events.AnnounceEvent
    'notifications.remind-of-event': events.DueEvent
    'notifications.mail-due': MailDue
    'notifications.mail': MailToSend
    'notifications.digests': DigestBatch
    'notifications.push-due': { userIds: string[] }
    'notifications.push': PushToSend
    'notifications.purge': Record<string, never>
  }
}

type NotificationJob = Extract<JobName, `notifications.${string}`>

export function notificationJobs(ctx: Context): Pick<JobHandlers, NotificationJob> {
  return {
    'notifications.announce-post': (data) => announcePost(ctx, data),
    'notifications.tell-of-new-product': ({ businessId }) => tellOfMenu(ctx, businessId, 'new_product'),
    'notifications.tell-of-changed-product': ({ businessId }) => tellOfMenu(ctx, businessId, 'product_update'),
    'notifications.announce-menu': (data) => announceMenu(ctx, data),
    'notifications.tell-of-like': (data) => deeds.tellOfLike(ctx, data),
    'notifications.tell-of-comment': (data) => deeds.tellOfComment(ctx, data),
    'notifications.tell-of-follow': (data) => deeds.tellOfFollow(ctx, data),
    'notifications.tell-of-subscriber': (data) => deeds.tellOfSubscriber(ctx, data),
    'notifications.tell-of-review': (data) => deeds.tellOfReview(ctx, data),
    'notifications.tell-of-review-reply': (data) => deeds.tellOfReviewReply(ctx, data),
    'notifications.tell-of-helpful': (data) => deeds.tellOfHelpful(ctx, data),
    'notifications.tell-of-hunt-share': (data) => deeds.tellOfHuntShare(ctx, data),
    'notifications.tell-of-hunt-comment': (data) => deeds.tellOfHuntComment(ctx, data),
    'notifications.tell-of-community-request': (data) => communities.tellOfRequest(ctx, data),
    'notifications.tell-of-community-join': (data) => communities.tellOfJoin(ctx, data),
    'notifications.tell-of-community-invitation': (data) => communities.tellOfInvitation(ctx, data),
    'notifications.tell-of-accepted-answer': (data) => communities.tellOfAcceptedAnswer(ctx, data),
    'notifications.tell-of-message': (data) => tellOfMessage(ctx, data),
    'notifications.tell-of-moderation': (data) => tellOfModeration(ctx, data),
    'notifications.tell-of-appeal': (data) => tellOfAppeal(ctx, data),
    'notifications.tell-of-missing-picture': (data) => deeds.tellOfMissingPicture(ctx, data),
    'notifications.tell-of-license': (data) => tellOfLicense(ctx, data),
    'notifications.announce-event': (data) => events.announceEvent(ctx, data),
    'notifications.tell-of-changed-event': (data) => events.tellOfChangedEvent(ctx, data),
    'notifications.tell-of-canceled-event': (data) => events.tellOfCanceledEvent(ctx, data),
    'notifications.remind-of-event': (data) => events.remindOfEvent(ctx, data),
    'notifications.mail-due': (data) => mailDue(ctx, data),
    'notifications.mail': (data) => sendMail(ctx, data),
    'notifications.digests': (data) => sendDigests(ctx, data),
    'notifications.push-due': (data) => pushDue(ctx, data),
    'notifications.push': (data) => sendPush(ctx, data),
    'notifications.purge': () => purge(ctx.db, ctx.clock.now()),
  }
}

export const notificationSchedules: readonly JobSchedule[] = [
  { name: 'notifications.digests', cron: '2 * * * *', data: {} },
  { name: 'notifications.purge', cron: '41 4 * * *', data: {} },
]

const keptDays = 180
const batch = 5_000

/** Deletes old ones that were read, in short steps. */
async function purge(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 86_400_000)
  for (let removed = batch; removed >= batch; ) {
    const { numAffectedRows } = await sql`
      delete from notifications where id in (
        select id from notifications where is_read and created_at < ${before}::timestamptz limit ${batch})`.execute(db)
    removed = Number(numAffectedRows ?? 0)
  }
}
