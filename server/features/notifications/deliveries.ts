import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import type { Jobs } from '#server/kernel/jobs.ts'

/** Lets more notifications of a kind join, and gives the person time to read them in the app. */
const mailDelaySeconds = 180
const pushDelaySeconds = 10

/**
 * Queues emails for people who get each one separately and pushes for people with a push subscription. Digests have their own schedule;
 * urgent notifications don't wait for them.
 */
export async function queueDeliveries(jobs: Jobs, tx: Tx, userIds: readonly string[], { isUrgent = false } = {}): Promise<void> {
  if (userIds.length === 0) return
  const [toMail, toPush] = [isUrgent ? [...userIds] : await mailedEach(tx, userIds), await pushed(tx, userIds)]
  if (toMail.length > 0) {
    const job = isUrgent ? 'notifications.mail-urgent-due' : 'notifications.mail-due'
    await jobs.enqueue(job, { userIds: toMail }, { tx, startAfterSeconds: mailDelaySeconds })
  }
  if (toPush.length > 0) await jobs.enqueue('notifications.push-due', { userIds: toPush }, { tx, startAfterSeconds: pushDelaySeconds })
}

async function mailedEach(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('notification_settings')
    .select('user_id')
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .where('email_rhythm', '=', 'each')
    .where('is_email_on', '=', true)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

async function pushed(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('push_subscriptions')
    .select('user_id')
    .distinct()
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
