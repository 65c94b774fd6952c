import type { NotificationType } from '../../../contracts/notifications.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { notificationsMail } from './notifications.mails.ts'
import { claim, notificationRows, unsentIds } from './notifications.queries.ts'
import { toNotification } from './notifications.view.ts'
import { loadReader } from './reader.ts'
import { loadRecipient, type Recipient } from './recipient.ts'
import { isUrgent as isUrgentType } from './topics.ts'
import { idsAmong, isNotificationVisible } from './visible-notifications.ts'

type Ctx = Pick<Context, 'db' | 'jobs' | 'clock' | 'config'>

const mostInMail = 20
/** Rather one mail with all of them than more single ones at once. */
const mostSingleMails = 5

export type MailDue = { userIds: string[]; isUrgent?: boolean }

/**
 * A mail for each new notification of those who want each by itself, and for what is urgent of those who have the rest gathered; while it is
 * quiet, when that ends.
 */
export async function mailDue(ctx: Ctx, { userIds, isUrgent = false }: MailDue): Promise<void> {
  for (const userId of userIds) {
    const recipient = await loadRecipient(ctx.db, ctx.config, userId, ctx.clock.now())
    if (!recipient?.isEmailOn || recipient.isAlwaysQuiet || (recipient.rhythm !== 'each' && !isUrgent)) continue
    if (recipient.quietSeconds > 0) {
      await ctx.jobs.enqueue('notifications.mail-due', { userIds: [userId], isUrgent }, { startAfterSeconds: recipient.quietSeconds })
      continue
    }
    await inTransaction(ctx.db, async (tx) => {
      const ids = await claimUnsent(ctx, tx, recipient, recipient.rhythm === 'each' ? undefined : isUrgentType)
      if (ids.length > mostSingleMails) return queueMail(ctx, tx, userId, ids)
      for (const id of ids) await queueMail(ctx, tx, userId, [id])
    })
  }
}

/** All of these types that was not mailed before; from now on it counts as mailed. */
export async function claimUnsent(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  { id }: Pick<Recipient, 'id'>,
  isMeant: (type: NotificationType) => boolean = () => true,
): Promise<string[]> {
  const reader = await loadReader(tx, id, ctx.clock.now())
  if (!reader) return []
  const meant = { ...reader, types: { ...reader.types, email: reader.types.email.filter(isMeant) } }
  return claim(tx, await unsentIds(tx, meant, 'email'), 'email', ctx.clock.now())
}

/** With the claim in one transaction: what was claimed is mailed, and mailed by a job that is tried again. */
export async function queueMail(ctx: Pick<Ctx, 'jobs'>, tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.jobs.enqueue(
    'notifications.mail',
    { userId, ids: ids.slice(0, mostInMail), more: Math.max(0, ids.length - mostInMail) },
    { tx },
  )
}

export type MailToSend = {
  userId: string
  /** Newest first. */
  ids: string[]
  /** How many there are beyond those. */
  more: number
}

/** Sends what is still unread and still for them; nothing, when nothing is. */
export async function sendMail(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'mail' | 'brand'>,
  { userId, ids, more }: MailToSend,
): Promise<void> {
  const now = ctx.clock.now()
  const recipient = await loadRecipient(ctx.db, ctx.config, userId, now)
  const reader = await loadReader(ctx.db, userId, now)
  if (!recipient?.isEmailOn || !reader) return
  const where = idsAmong(ids, isNotificationVisible(reader, reader.types.email))
  const rows = await notificationRows(ctx.db, reader, { where, limit: mostInMail })
  if (rows.length === 0) return
  await ctx.mail.send(notificationsMail(ctx, { userId, email: recipient.email, items: rows.map(toNotification), more }))
}
