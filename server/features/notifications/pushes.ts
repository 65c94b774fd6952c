import { isIP } from 'node:net'
import { type Insertable, sql } from 'kysely'
import { dayMs } from '#contracts/time.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import type { NotificationOwners } from './notification-types.ts'
import { countOfNew } from './notifications.mails.ts'
import { claimNewest, pushedSince } from './notifications.queries.ts'
import { loadReader, loadRecipient } from './recipient.ts'

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** Push subscriptions per person; the next one replaces the oldest. */
const maxSubscriptions = 10

/**
 * A shared browser belongs to the last person who subscribed in it. The subscription ends with the session, so the
 * next person at this browser doesn't get this one's pushes.
 * @throws AppError invalid_input if the address isn't that of a push service; signed_out
 */
export async function addSubscription(
  ctx: Pick<Context, 'db' | 'clock'>,
  { id: userId, sessionId }: Pick<Actor, 'id' | 'sessionId'>,
  { endpoint, keys }: Subscription,
): Promise<void> {
  const { hostname, username, port } = new URL(endpoint)
  const isName = hostname.includes('.') && !isIP(hostname) && !/\.(local|internal|localhost)$/.test(hostname)
  if (!isName || username || port) throw invalidField('endpoint', 'Must be the address of a push service')
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockSession(tx, sessionId))) throw new AppError('signed_out')
    await saveSubscription(tx, {
      id: newId(),
      user_id: userId,
      session_id: sessionId,
      endpoint,
      ...keys,
      failing_since: null,
      created_at: ctx.clock.now(),
    })
    await deleteOldest(tx, userId, maxSubscriptions)
  })
}

export const endSubscription = (ctx: Pick<Context, 'db'>, userId: string, endpoint: string) => removeSubscription(ctx.db, userId, endpoint)

/**
 * Each push replaces the previous one, which the push service tries to deliver for up to a day, so the count includes what both announce.
 */
const countedMs = dayMs

/** Pushes the number of new notifications to each browser of these people, after quiet hours, if any. */
export async function pushDue(
  ctx: Pick<Context, 'db' | 'jobs' | 'clock' | 'config'>,
  owners: NotificationOwners,
  { userIds }: { userIds: readonly string[] },
): Promise<void> {
  for (const userId of userIds) {
    const now = ctx.clock.now()
    const recipient = await loadRecipient(ctx.db, ctx.config, userId, now)
    if (!recipient || recipient.isAlwaysQuiet) continue
    if (recipient.quietSeconds > 0) {
      await ctx.jobs.enqueue('notifications.push-due', { userIds: [userId] }, { startAfterSeconds: recipient.quietSeconds })
      continue
    }
    await inTransaction(ctx.db, async (tx) => {
      const reader = await loadReader(tx, userId, now)
      if (!reader) return
      const claimed = await claimNewest(tx, owners, reader, 'push', reader.types.push)
      if (claimed.length === 0) return
      const unread = await pushedSince(tx, owners, reader, reader.types.push, new Date(now.getTime() - countedMs))
      const areMessages = unread.every(({ type }) => type === 'message')
      for (const subscriptionId of await subscriptionIdsOf(tx, userId)) {
        await ctx.jobs.enqueue('notifications.push', { userId, subscriptionId, count: unread.length, areMessages }, { tx })
      }
    })
  }
}

export type PushToSend = {
  userId: string
  subscriptionId: string
  count: number
  /** The push opens the inbox instead of the list of notifications. Missing in jobs of an earlier version. */
  areMessages?: boolean
}

/** A subscription is deleted when its push service has failed for this long. */
const givenUpMs = 3 * dayMs

/** Contains only a count: pushes appear on lock screens and pass through third parties. */
export async function sendPush(
  ctx: Pick<Context, 'db' | 'clock' | 'pusher' | 'brand' | 'log'>,
  { userId, subscriptionId, count, areMessages = false }: PushToSend,
): Promise<void> {
  const subscription = await findSubscription(ctx.db, userId, subscriptionId)
  if (!subscription) return
  const message = { title: ctx.brand.name, body: `You have ${countOfNew(count)}`, url: areMessages ? '/messages' : '/notifications' }
  const outcome = await ctx.pusher.send(subscription, message).catch(async (error: unknown) => {
    const now = ctx.clock.now()
    const since = failingSince(subscription, now)
    if (now.getTime() - since.getTime() >= givenUpMs) return 'gone' as const
    await setFailing(ctx.db, subscriptionId, { failing_since: since, failed_at: now })
    throw error
  })
  if (outcome === 'sent' && subscription.failing_since !== null) {
    await setFailing(ctx.db, subscriptionId, { failing_since: null, failed_at: null })
  }
  if (outcome === 'gone') await forgetSubscription(ctx.db, subscriptionId)
  if (outcome === 'refused') ctx.log.warn({ subscriptionId }, 'a push service refused the VAPID key')
}

/** @returns false if the session has ended */
async function lockSession(tx: Tx, id: string): Promise<boolean> {
  const session = await tx.selectFrom('sessions').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return session !== undefined
}

const saveSubscription = (tx: Tx, { id, endpoint, ...row }: Insertable<DB['push_subscriptions']>) =>
  tx
    .insertInto('push_subscriptions')
    .values({ id, endpoint, ...row })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row))
    .execute()

const deleteOldest = (tx: Tx, userId: string, max: number) =>
  tx
    .deleteFrom('push_subscriptions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('push_subscriptions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(max),
    )
    .execute()

const removeSubscription = (db: Db, userId: string, endpoint: string) =>
  db.deleteFrom('push_subscriptions').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute()

const forgetSubscription = (db: Db, id: string) => db.deleteFrom('push_subscriptions').where('id', '=', id).execute()

type Failing = { failing_since: Date | null; failed_at: Date | null }

/** Two outages days apart aren't one long failure. */
const failingSince = ({ failing_since, failed_at }: Failing, now: Date): Date =>
  failing_since && failed_at && now.getTime() - failed_at.getTime() < givenUpMs ? failing_since : now

const setFailing = (db: Db, id: string, failing: Failing) =>
  db.updateTable('push_subscriptions').set(failing).where('id', '=', id).execute()

async function subscriptionIdsOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.selectFrom('push_subscriptions').select('id').where('user_id', '=', userId).execute()
  return rows.map(({ id }) => id)
}

/**
 * Undefined if the subscription no longer belongs to this person. A browser that subscribed before subscriptions belonged to a session was
 * certainly signed out if none of the person's sessions from that time remains.
 */
const findSubscription = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth', 'failing_since', 'failed_at'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where(
      sql<boolean>`(session_id is not null or exists (
        select from sessions where sessions.user_id = push_subscriptions.user_id and sessions.created_at <= push_subscriptions.created_at))`,
    )
    .executeTakeFirst()
