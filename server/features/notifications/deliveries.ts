import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Jobs } from '../../kernel/jobs.ts'

/** Time for more of a kind to join, and for the person to have read it in the app. */
const mailDelaySeconds = 180
const pushDelaySeconds = 10

/**
 * Has those of the people mailed who want each mail by itself, and those pushed whose browsers take pushes. Digests come by themselves; what
 * is urgent waits for none.
 */
export async function queueDeliveries(jobs: Jobs, tx: Tx, userIds: readonly string[], { isUrgent = false } = {}): Promise<void> {
  if (userIds.length === 0) return
  const [toMail, toPush] = [isUrgent ? [...userIds] : await mailedEach(tx, userIds), await pushed(tx, userIds)]
  if (toMail.length > 0) {
    await jobs.enqueue('notifications.mail-due', { userIds: toMail, isUrgent }, { tx, startAfterSeconds: mailDelaySeconds })
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
