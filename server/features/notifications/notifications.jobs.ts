import { sql } from 'kysely'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { eventJobs } from './announce-event.ts'
import { type AnnounceMenu, announceMenu, notifyOfMenu } from './announce-menu.ts'
import { type AnnouncePost, announcePost } from './announce-post.ts'
import type { NotificationOwners } from './notification-types.ts'
import { activityJobs } from './notify-activity.ts'
import { peopleJobs } from './notify-people.ts'
import { type PushToSend, pushDue, sendPush } from './pushes.ts'
import { type DigestBatch, type MailDue, type MailToSend, mailDue, mailUrgentDue, sendDigests, sendMail } from './send-mails.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'notifications.announce-post': AnnouncePost
    'notifications.tell-of-new-product': { businessId: string }
    'notifications.tell-of-changed-product': { businessId: string }
    'notifications.announce-menu': AnnounceMenu
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
    ...activityJobs(ctx),
    ...peopleJobs(ctx),
    ...eventJobs(ctx),
    'notifications.announce-post': (data) => announcePost(ctx, data),
    'notifications.tell-of-new-product': ({ businessId }) => notifyOfMenu(ctx, businessId, 'new_product'),
    'notifications.tell-of-changed-product': ({ businessId }) => notifyOfMenu(ctx, businessId, 'product_update'),
    'notifications.announce-menu': (data) => announceMenu(ctx, data),
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
  const before = new Date(now.getTime() - retentionDays * dayMs)
  for (let removed = batch; removed >= batch; ) {
    const { numAffectedRows } = await sql`
      delete from notifications where id in (
        select id from notifications where is_read and created_at < ${before}::timestamptz limit ${batch})`.execute(db)
    removed = Number(numAffectedRows ?? 0)
  }
}
