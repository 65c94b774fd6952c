import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { WebhookEvent } from '#contracts/choices.ts'
import { dayMs } from '#contracts/time.ts'
import type { WebhookDelivery } from '#contracts/webhooks.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { newId } from '#server/kernel/ids.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import { lockListeningWebhooks } from './webhooks.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'jobs'>

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'webhooks.record-review': { reviewId: string }
    'webhooks.record-message': { messageId: string }
    'webhooks.record-subscriber': { businessId: string; userId: string }
    'webhooks.record-license': { verificationId: string; change: 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven' }
    'webhooks.find-old-menus': Record<string, never>
  }
}

export const recordJobs = (ctx: Ctx) =>
  ({
    'webhooks.record-review': ({ reviewId }) => recordReview(ctx, reviewId),
    'webhooks.record-message': ({ messageId }) => recordMessage(ctx, messageId),
    'webhooks.record-subscriber': ({ businessId, userId }) => recordSubscriber(ctx, businessId, userId),
    'webhooks.record-license': async ({ verificationId, change }) => {
      if (change === 'expiring') await recordLicense(ctx, verificationId)
    },
    'webhooks.find-old-menus': () => findOldMenus(ctx),
  }) satisfies Partial<JobHandlers>

type Happened = {
  event: WebhookDelivery['event']
  /** Identifies what happened, so that it is recorded once. Contains no personal data. */
  key: string
  at: Date
  /** IDs, dates and a URL with more details, never personal data: the receiver may be anyone. */
  data: Readonly<Record<string, string | number>>
}

/** Returns the delivery's ID, or null if this event was already recorded. */
export async function addDelivery(tx: Tx, ctx: Ctx, webhookId: string, { event, key, at, data }: Happened): Promise<string | null> {
  const now = ctx.clock.now()
  const row = await tx
    .insertInto('webhook_deliveries')
    .values({
      id: newId(),
      webhook_id: webhookId,
      event,
      event_key: `${event}:${key}`,
      payload: JSON.stringify({ type: event, timestamp: at.toISOString(), data }),
      state: 'waiting',
      created_at: now,
      next_try_at: now,
    })
    .onConflict((conflict) => conflict.columns(['webhook_id', 'event_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row) await ctx.jobs.enqueue('webhooks.send', { webhookId }, { tx })
  return row?.id ?? null
}

/** Runs in a job that may run twice, but each webhook gets only one delivery. */
async function record(ctx: Ctx, businessId: string, happened: Happened & { event: WebhookEvent }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const webhooks = await lockListeningWebhooks(tx, ctx, businessId, happened.event)
    for (const webhookId of webhooks) await addDelivery(tx, ctx, webhookId, happened)
  })
}

const pageOf = ({ config }: Ctx, path: string) => `${config.publicUrl}${path}`

async function recordReview(ctx: Ctx, reviewId: string): Promise<void> {
  const review = await ctx.db
    .selectFrom('reviews')
    .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
    .select(['reviews.id', 'reviews.business_id', 'reviews.created_at', 'businesses.slug'])
    .where('reviews.id', '=', reviewId)
    .where('reviews.moderation', 'is', null)
    .executeTakeFirst()
  if (!review) return
  const { id, business_id: businessId, created_at: at, slug } = review
  const url = pageOf(ctx, `/business/${slug}?tab=reviews`)
  await record(ctx, businessId, { event: 'review.created', key: id, at, data: { businessId, reviewId: id, url } })
}

/** Records only messages to the business. */
async function recordMessage(ctx: Ctx, messageId: string): Promise<void> {
  const message = await ctx.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['messages.id', 'messages.conversation_id', 'messages.created_at', 'conversations.business_id'])
    .where('messages.id', '=', messageId)
    .where('messages.is_from_business', '=', false)
    .where('messages.moderation', 'is', null)
    .executeTakeFirst()
  if (!message?.business_id) return
  const { id, business_id: businessId, conversation_id: conversationId, created_at: at } = message
  const url = pageOf(ctx, `/messages/${conversationId}`)
  await record(ctx, businessId, { event: 'message.received', key: id, at, data: { businessId, conversationId, messageId: id, url } })
}

/** The event doesn't name the subscriber, who may have a private profile. */
async function recordSubscriber(ctx: Ctx, businessId: string, userId: string): Promise<void> {
  const subscription = await ctx.db
    .selectFrom('subscriptions')
    .innerJoin('businesses', 'businesses.id', 'subscriptions.business_id')
    .select(['subscriptions.created_at', 'businesses.slug'])
    .where('subscriptions.business_id', '=', businessId)
    .where('subscriptions.user_id', '=', userId)
    .executeTakeFirst()
  if (!subscription) return
  const { created_at: at, slug } = subscription
  const key = createHash('sha256').update(`${userId} ${at.toISOString()}`).digest('base64url')
  const url = pageOf(ctx, `/business-dashboard?business=${slug}`)
  await record(ctx, businessId, { event: 'subscriber.created', key, at, data: { businessId, url } })
}

/** Records one event per warning: 60, 30 and 7 days ahead of each expiration date. */
async function recordLicense(ctx: Ctx, verificationId: string): Promise<void> {
  const license = await ctx.db
    .selectFrom('license_verifications')
    .innerJoin('businesses', 'businesses.id', 'license_verifications.business_id')
    .select(['license_verifications.business_id', 'warned_days', 'expires_on', 'license_verifications.updated_at', 'businesses.slug'])
    .where('license_verifications.id', '=', verificationId)
    .executeTakeFirst()
  if (!license?.expires_on) return
  const { business_id: businessId, expires_on: expiresOn, updated_at: at, slug } = license
  const url = pageOf(ctx, `/business-dashboard/license?business=${slug}`)
  const key = `${verificationId}:${expiresOn}:${license.warned_days}`
  await record(ctx, businessId, { event: 'license.expiring', key, at, data: { businessId, expiresOn, url } })
}

/** After this long, shoppers see a warning, too: `web/entities/menus/confirmed.tsx`. */
const oldAfterMs = 7 * dayMs

/** Reports a menu when its oldest confirmation is too old, once per confirmation. */
async function findOldMenus(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const { rows } = await sql<{ business_id: string; slug: string; confirmed_at: Date }>`
    select listening.business_id, businesses.slug, oldest.confirmed_at
    from (select distinct business_id from webhooks where stopped_at is null and events @> array['menu.out_of_date']) listening
      join businesses on businesses.id = listening.business_id
      cross join lateral (
        select products.confirmed_at from products
        where products.business_id = listening.business_id and products.moderation is null
        order by products.confirmed_at limit 1) oldest
    where oldest.confirmed_at < ${new Date(now.getTime() - oldAfterMs)}::timestamptz`.execute(ctx.db)
  for (const { business_id: businessId, slug, confirmed_at } of rows) {
    const confirmedAt = confirmed_at.toISOString()
    const url = pageOf(ctx, `/business-dashboard/menu?business=${slug}`)
    await record(ctx, businessId, { event: 'menu.out_of_date', key: confirmedAt, at: now, data: { businessId, confirmedAt, url } })
  }
}
