import { isIP } from 'node:net'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import type { NotificationOwners } from './notification-types.ts'
import { countOfNew } from './notifications.mails.ts'
import { claimNewest } from './notifications.queries.ts'
import {
  deleteOldest,
  findSubscription,
  forgetSubscription,
  removeSubscription,
  saveSubscription,
  subscriptionIdsOf,
} from './pushes.queries.ts'
import { loadReader, loadRecipient } from './recipient.ts'

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** Push subscriptions per person; another one evicts the oldest. */
const maxSubscriptions = 10

/**
 * A shared browser belongs to the last person who signed in.
 * @throws AppError invalid_input if the address isn't a push service's
 */
export async function addSubscription(ctx: Pick<Context, 'db' | 'clock'>, userId: string, { endpoint, keys }: Subscription): Promise<void> {
  const { hostname, username, port } = new URL(endpoint)
  const isName = hostname.includes('.') && !isIP(hostname) && !/\.(local|internal|localhost)$/.test(hostname)
  if (!isName || username || port) throw invalidField('endpoint', 'Must be the address of a push service')
  await inTransaction(ctx.db, async (tx) => {
    await saveSubscription(tx, { id: newId(), user_id: userId, endpoint, ...keys, created_at: ctx.clock.now() })
    await deleteOldest(tx, userId, maxSubscriptions)
  })
}

export const endSubscription = (ctx: Pick<Context, 'db'>, userId: string, endpoint: string) => removeSubscription(ctx.db, userId, endpoint)

/** Pushes the unread count to each browser of these people, after quiet hours if they are on. */
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
      const { length: count } = reader ? await claimNewest(tx, owners, reader, 'push', reader.types.push) : []
      if (count === 0) return
      for (const subscriptionId of await subscriptionIdsOf(tx, userId)) {
        await ctx.jobs.enqueue('notifications.push', { userId, subscriptionId, count }, { tx })
      }
    })
  }
}

export type PushToSend = { userId: string; subscriptionId: string; count: number }

/** Contains only a count: pushes appear on lock screens and pass through third parties. */
export async function sendPush(
  ctx: Pick<Context, 'db' | 'pusher' | 'brand'>,
  { userId, subscriptionId, count }: PushToSend,
): Promise<void> {
  const subscription = await findSubscription(ctx.db, userId, subscriptionId)
  if (!subscription) return
  const message = { title: ctx.brand.name, body: `You have ${countOfNew(count)}`, url: '/notifications' }
  if ((await ctx.pusher.send(subscription, message)) === 'gone') await forgetSubscription(ctx.db, subscriptionId)
}
