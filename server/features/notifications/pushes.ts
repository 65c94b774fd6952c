import { isIP } from 'node:net'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { countOfNew } from './notifications.mails.ts'
import { claim, unsentIds } from './notifications.queries.ts'
import {
  findSubscription,
  forgetSubscription,
  keepNewest,
  removeSubscription,
  saveSubscription,
  subscriptionIdsOf,
} from './pushes.queries.ts'
import { loadReader } from './reader.ts'
import { loadRecipient } from './recipient.ts'

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** Browsers of one person; with another one the oldest is forgotten. */
const mostSubscriptions = 10

/**
 * A browser that changes hands belongs to whoever signed in last.
 * @throws AppError invalid_input for what is no push service's address
 */
export async function addSubscription(ctx: Pick<Context, 'db' | 'clock'>, userId: string, { endpoint, keys }: Subscription): Promise<void> {
  const { hostname, username, port } = new URL(endpoint)
  const isName = hostname.includes('.') && !isIP(hostname) && !/\.(local|internal|localhost)$/.test(hostname)
  if (!isName || username || port) throw invalidField('endpoint', 'Not the address of a push service')
  await inTransaction(ctx.db, async (tx) => {
    await saveSubscription(tx, { id: newId(), user_id: userId, endpoint, ...keys, created_at: ctx.clock.now() })
    await keepNewest(tx, userId, mostSubscriptions)
  })
}

export const endSubscription = (ctx: Pick<Context, 'db'>, userId: string, endpoint: string) => removeSubscription(ctx.db, userId, endpoint)

/** Pushes how many are new to each browser of these people; while it is quiet, when that ends. */
export async function pushDue(
  ctx: Pick<Context, 'db' | 'jobs' | 'clock' | 'config'>,
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
      const { length: count } = reader ? await claim(tx, await unsentIds(tx, reader, 'push'), 'push', now) : []
      if (count === 0) return
      for (const subscriptionId of await subscriptionIdsOf(tx, userId)) {
        await ctx.jobs.enqueue('notifications.push', { userId, subscriptionId, count }, { tx })
      }
    })
  }
}

export type PushToSend = { userId: string; subscriptionId: string; count: number }

/** Nothing of what it is about: pushes stand on locked screens, and pass through other companies. */
export async function sendPush(
  ctx: Pick<Context, 'db' | 'pusher' | 'brand'>,
  { userId, subscriptionId, count }: PushToSend,
): Promise<void> {
  const subscription = await findSubscription(ctx.db, userId, subscriptionId)
  if (!subscription) return
  const message = { title: ctx.brand.name, body: `You have ${countOfNew(count)}`, url: '/notifications' }
  if ((await ctx.pusher.send(subscription, message)) === 'gone') await forgetSubscription(ctx.db, subscriptionId)
}
