import { Webhook as Signer } from 'standardwebhooks'
import { dayMs, hourMs, minuteMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Context, OutsideRefused } from '#server/kernel/context.ts'
import { unseal } from '#server/kernel/secrets.ts'
import { type DeliveryRow, failWaiting, nextDelivery, replacedSecrets, sendingWebhook } from './webhooks.queries.ts'
import { sealOf } from './write-webhooks.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'brand' | 'jobs' | 'events' | 'outside'>
type SendingWebhook = NonNullable<Awaited<ReturnType<typeof sendingWebhook>>>

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** A business's connection to another system needs attention. Its row stores the reason. */
    'connection.failed': { connectionId: string; what: 'webhook_stopped' | 'menu_fetch_failed' | 'menu_fetch_stopped' }
  }
}

/** Pauses before each retry: about three days in all. */
const pausesMs = [10_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs, 20 * hourMs, 20 * hourMs]
const givenUpMs = pausesMs.reduce((sum, pause) => sum + pause, 0)

const timeLimitMs = 15_000
/** Longer than an attempt can take. If a process dies midway, the webhook sends nothing for this long. */
const leaseMs = 60_000
/** Deliveries per job, so that a busy webhook doesn't keep others waiting. */
const maxPerJob = 20

/**
 * Sends the due deliveries of one webhook, one after another, so that a slow receiver takes at most one slot. If the process dies before it
 * records a receiver's response, the delivery is sent again with the same ID.
 */
export async function sendDue(ctx: Ctx, webhookId: string): Promise<void> {
  let sent = 0
  do {
    if (!(await lease(ctx, webhookId))) return
    while (sent < maxPerJob) {
      const webhook = await sendingWebhook(ctx.db, ctx, webhookId)
      const delivery = webhook && (await nextDelivery(ctx.db, webhookId, ctx.clock.now()))
      if (!webhook || !delivery) break
      if (!webhook.is_connected) {
        await failWaiting(ctx.db, webhookId, 'The person who created the webhook can no longer manage connections.')
        break
      }
      await extendLease(ctx, webhookId)
      await sendOne(ctx, webhook, delivery)
      sent++
    }
    await ctx.db.updateTable('webhooks').set({ sending_until: null }).where('id', '=', webhookId).execute()
    // A job that found the webhook leased leaves its delivery to this one.
    if (!(await nextDelivery(ctx.db, webhookId, ctx.clock.now()))) return
  } while (sent < maxPerJob)
  await ctx.jobs.enqueue('webhooks.send', { webhookId })
}

async function lease({ db, clock }: Ctx, webhookId: string): Promise<boolean> {
  const now = clock.now()
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set({ sending_until: new Date(now.getTime() + leaseMs) })
    .where('id', '=', webhookId)
    .where('stopped_at', 'is', null)
    .where((eb) => eb.or([eb('sending_until', 'is', null), eb('sending_until', '<=', now)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const extendLease = ({ db, clock }: Ctx, webhookId: string) =>
  db
    .updateTable('webhooks')
    .set({ sending_until: new Date(clock.now().getTime() + leaseMs) })
    .where('id', '=', webhookId)
    .execute()

type Result = { status: number | null; error: string | null }

async function sendOne(ctx: Ctx, webhook: SendingWebhook, delivery: DeliveryRow): Promise<void> {
  const result = await call(ctx, webhook, delivery)
  const now = ctx.clock.now()
  const isDelivered = result.status !== null && result.status >= 200 && result.status < 300
  await inTransaction(ctx.db, async (tx) => {
    const state = await tx.selectFrom('webhooks').select('failing_since').where('id', '=', webhook.id).forUpdate().executeTakeFirst()
    if (!state) return
    const tried = { tries: delivery.tries + 1, tried_at: now, ...result }
    const pause = isDelivered ? undefined : pausesMs[delivery.tries]
    const isOver = pause === undefined
    await tx
      .updateTable('webhook_deliveries')
      .set(
        isOver
          ? { ...tried, state: isDelivered ? 'delivered' : 'failed', next_try_at: null }
          : { ...tried, next_try_at: new Date(now.getTime() + pause) },
      )
      .where('id', '=', delivery.id)
      // The webhook may have been stopped during the call, which marks its waiting deliveries as failed.
      .where('state', '=', 'waiting')
      .execute()
    const failingSince = isDelivered ? null : (state.failing_since ?? now)
    const isGone = result.status === 410
    const isHopeless = failingSince !== null && isOver && now.getTime() - failingSince.getTime() >= givenUpMs
    await tx.updateTable('webhooks').set({ failing_since: failingSince }).where('id', '=', webhook.id).execute()
    if (!isGone && !isHopeless) return
    const { numUpdatedRows } = await tx
      .updateTable('webhooks')
      .set({ stopped_at: now, stop_reason: isGone ? 'gone' : 'failing' })
      .where('id', '=', webhook.id)
      .where('stopped_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    await failWaiting(
      tx,
      webhook.id,
      isGone ? 'The receiver no longer exists (410).' : 'The webhook was stopped after three days of failures.',
    )
    await ctx.events.publish(tx, 'connection.failed', { connectionId: webhook.id, what: 'webhook_stopped' })
  })
}

/** Follows the Standard Webhooks specification. A redirect counts as a failure, and the response body isn't read. */
async function call({ clock, config, brand, outside }: Ctx, webhook: SendingWebhook, { id, payload }: DeliveryRow): Promise<Result> {
  const now = clock.now()
  const sealed = [webhook.sealed_secret, ...replacedSecrets(webhook, now)]
  const secrets = sealed.map((each) => unseal(sealOf(config, webhook.id), each)).filter((each) => each !== null)
  if (secrets.length === 0) return { status: null, error: 'The secret can’t be read anymore. Replace it.' }
  try {
    const { status } = await outside.call({
      url: webhook.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `${brand.slug}-webhooks`,
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, now, payload)).join(' '),
      },
      body: payload,
      maxBytes: 0,
      timeLimitMs,
    })
    return { status, error: null }
  } catch (error) {
    return { status: null, error: failureReason(error, timeLimitMs) }
  }
}

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was lost before a response arrived.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for a different host name.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate can’t be verified.',
}

export function failureReason(error: unknown, limitMs: number): string {
  if (error instanceof OutsideRefused) return error.message
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError' || name === 'AbortError') return `There was no response within ${limitMs / 1000} seconds.`
  return codes[code ?? ''] ?? 'The connection failed.'
}

/** Queues due retries, and deliveries that a process left behind when it died. */
export async function sweepDeliveries({ db, clock, jobs }: Ctx): Promise<void> {
  for (const webhookId of await dueWebhooks(db, clock.now())) await jobs.enqueue('webhooks.send', { webhookId })
}

async function dueWebhooks(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('webhook_id')
    .distinct()
    .where('state', '=', 'waiting')
    .where('next_try_at', '<=', now)
    .execute()
  return rows.map(({ webhook_id }) => webhook_id)
}

const keptMs = 30 * dayMs
const purgedAtOnce = 5000

/** Keeps the last report about an out-of-date menu, because without it the menu would be reported again. */
export async function purgeDeliveries({ db, clock }: Ctx): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  for (let deleted = purgedAtOnce; deleted >= purgedAtOnce; ) {
    const { numDeletedRows } = await db
      .deleteFrom('webhook_deliveries')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhook_deliveries as old')
          .select('id')
          .where('created_at', '<', before)
          .where(({ or, eb: is, exists, selectFrom }) =>
            or([
              is('event', '<>', 'menu.out_of_date'),
              exists(
                selectFrom('webhook_deliveries as newer')
                  .select('id')
                  .whereRef('newer.webhook_id', '=', 'old.webhook_id')
                  .where('newer.event', '=', 'menu.out_of_date')
                  .whereRef('newer.id', '>', 'old.id'),
              ),
            ]),
          )
          .limit(purgedAtOnce),
      )
      .executeTakeFirstOrThrow()
    deleted = Number(numDeletedRows)
  }
}
