import { sql } from 'kysely'
import type { NotificationType } from '#contracts/notification-types.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { descriptionOf, type NotificationOwners } from './notification-types.ts'
import { notificationsMail } from './notifications.mails.ts'
import { claimNewest, shownRows } from './notifications.queries.ts'
import { toNotification } from './notifications.view.ts'
import { loadReader, loadRecipient, type Recipient } from './recipient.ts'

type Ctx = Pick<Context, 'db' | 'jobs' | 'clock' | 'config'>

const maxPerMail = 20
/** Above this, one combined email is sent instead of single ones. */
const maxSingleMails = 5

export type MailDue = { userIds: string[] }

/** Urgent notifications have their own jobs, so that they don't wait behind newsletters and digests. */
const mailJobs = {
  usual: { due: 'notifications.mail-due', send: 'notifications.mail' },
  urgent: { due: 'notifications.mail-urgent-due', send: 'notifications.mail-urgent' },
} as const

/** Emails each new notification separately to people who chose that; waits until quiet hours end. */
export const mailDue = (ctx: Ctx, owners: NotificationOwners, data: MailDue): Promise<void> => mailEach(ctx, owners, data, 'usual')

/** Emails urgent notifications to everyone, also to people who chose digests; waits until quiet hours end. */
export const mailUrgentDue = (ctx: Ctx, owners: NotificationOwners, data: MailDue): Promise<void> => mailEach(ctx, owners, data, 'urgent')

async function mailEach(ctx: Ctx, owners: NotificationOwners, { userIds }: MailDue, kind: keyof typeof mailJobs): Promise<void> {
  const jobs = mailJobs[kind]
  const isUrgent = kind === 'urgent'
  for (const userId of userIds) {
    const recipient = await loadRecipient(ctx.db, ctx.config, userId, ctx.clock.now())
    if (!recipient?.isEmailOn || recipient.isAlwaysQuiet || (recipient.rhythm !== 'each' && !isUrgent)) continue
    if (recipient.quietSeconds > 0) {
      await ctx.jobs.enqueue(jobs.due, { userIds: [userId] }, { startAfterSeconds: recipient.quietSeconds })
      continue
    }
    await inTransaction(ctx.db, async (tx) => {
      const ids = await claimUnsent(ctx, owners, tx, recipient, isUrgent ? (type) => descriptionOf(type).isUrgent : undefined)
      if (ids.length > maxSingleMails) return queueMail(ctx, tx, userId, ids, jobs.send)
      for (const id of ids) await queueMail(ctx, tx, userId, [id], jobs.send)
    })
  }
}

/** All unmailed notifications of these types, which count as mailed from now on. */
export async function claimUnsent(
  ctx: Pick<Ctx, 'clock'>,
  owners: NotificationOwners,
  tx: Tx,
  { id }: Pick<Recipient, 'id'>,
  isMeant: (type: NotificationType) => boolean = () => true,
): Promise<string[]> {
  const reader = await loadReader(tx, id, ctx.clock.now())
  if (!reader) return []
  return claimNewest(tx, owners, reader, 'email', reader.types.email.filter(isMeant))
}

/** Runs in the transaction of the claim, so that claimed notifications are mailed by a job that retries. */
export async function queueMail(
  ctx: Pick<Ctx, 'jobs'>,
  tx: Tx,
  userId: string,
  ids: readonly string[],
  job: 'notifications.mail' | 'notifications.mail-urgent' = 'notifications.mail',
): Promise<void> {
  if (ids.length === 0) return
  await ctx.jobs.enqueue(job, { userId, ids: ids.slice(0, maxPerMail), more: Math.max(0, ids.length - maxPerMail) }, { tx })
}

export type MailToSend = {
  userId: string
  /** Newest first. */
  ids: string[]
  /** How many there are beyond `ids`. */
  more: number
}

/** Sends what is still unread and still visible to the recipient; no-op if there is nothing. */
export async function sendMail(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'mail' | 'brand'>,
  owners: NotificationOwners,
  { userId, ids, more }: MailToSend,
): Promise<void> {
  const now = ctx.clock.now()
  const recipient = await loadRecipient(ctx.db, ctx.config, userId, now)
  const reader = await loadReader(ctx.db, userId, now)
  if (!recipient?.isEmailOn || !reader) return
  const unread = { types: reader.types.email, where: sql<boolean>`n.id = any(${ids}::uuid[]) and not n.is_read` }
  const { rows } = await shownRows(ctx.db, owners, reader, unread, { start: null, wanted: maxPerMail })
  if (rows.length === 0) return
  await ctx.mail.send(notificationsMail(ctx, { userId, email: recipient.email, items: rows.map(toNotification), more }))
}
