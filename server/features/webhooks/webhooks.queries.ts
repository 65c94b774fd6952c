import { type Selectable, sql } from 'kysely'
import type { WebhookEvent } from '#contracts/choices.ts'
import type { Webhook, WebhookDelivery } from '#contracts/webhooks.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Webhooks } from '#server/db/schema.ts'
import { mayCreatorConnect } from '#server/features/keys/index.ts'
import { bylineColumns, toPersonOrNull } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { newestAfter } from '#server/kernel/keyset.ts'

type Cursor = readonly [time: string, id: string]
type Reading = Pick<Context, 'clock' | 'config'>

const selectWebhooks = (db: Db, ctx: Reading, businessId: string) =>
  db
    .selectFrom('webhooks')
    .leftJoin('users', 'users.id', 'webhooks.created_by')
    .select(bylineColumns)
    .select(['webhooks.id as webhook_id', 'url', 'events', 'webhooks.created_at', 'failing_since', 'stop_reason', 'old_secret_until'])
    .select(mayCreatorConnect('webhooks', ctx).as('is_connected'))
    .where('webhooks.business_id', '=', businessId)

type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['execute']>>[number]

function toWebhook(row: WebhookRow, now: Date): Webhook {
  const stopReason = row.stop_reason ?? (row.is_connected ? null : 'creator')
  return {
    id: row.webhook_id,
    url: row.url,
    // Only this feature writes the column, so the cast is safe.
    events: row.events as WebhookEvent[],
    state: stopReason !== null ? 'stopped' : row.failing_since !== null ? 'failing' : 'working',
    stopReason,
    failingSince: row.failing_since?.toISOString() ?? null,
    oldSecretUntil: row.old_secret_until !== null && row.old_secret_until > now ? row.old_secret_until.toISOString() : null,
    createdBy: toPersonOrNull(row)?.name ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

export async function webhooksPage(db: Db, ctx: Reading, businessId: string, after: Cursor | null, limit: number): Promise<Webhook[]> {
  const rows = await selectWebhooks(db, ctx, businessId)
    .$call((query) => newestAfter(query, 'webhooks.created_at', 'webhooks.id', after))
    .limit(limit)
    .execute()
  return rows.map((row) => toWebhook(row, ctx.clock.now()))
}

const gone = () => notFound('This webhook no longer exists.')

export async function webhookOf(db: Db, ctx: Reading, businessId: string, id: string): Promise<Webhook> {
  const row = await selectWebhooks(db, ctx, businessId).where('webhooks.id', '=', id).executeTakeFirst()
  if (!row) throw gone()
  return toWebhook(row, ctx.clock.now())
}

/** Locks the webhook until the transaction ends. @throws AppError not_found */
export async function lockWebhook(tx: Tx, businessId: string, id: string) {
  const row = await tx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('business_id', '=', businessId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw gone()
  return row
}

/**
 * Locks the webhooks, so that none is stopped before its delivery is recorded. Stopping a webhook fails only the deliveries that are
 * already waiting.
 */
export async function lockListeningWebhooks(tx: Tx, ctx: Reading, businessId: string, event: WebhookEvent): Promise<string[]> {
  const rows = await tx
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.created_by')
    .select('webhooks.id')
    .where('webhooks.business_id', '=', businessId)
    .where('stopped_at', 'is', null)
    .where(sql<boolean>`webhooks.events @> array[${event}]`)
    .where(mayCreatorConnect('webhooks', ctx))
    .orderBy('webhooks.id')
    .forShare('webhooks')
    .execute()
  return rows.map(({ id }) => id)
}

/** The data needed for sending; undefined if the webhook is stopped or deleted. */
export const sendingWebhook = (db: Db, ctx: Reading, id: string) =>
  db
    .selectFrom('webhooks')
    .leftJoin('users', 'users.id', 'webhooks.created_by')
    .select(['webhooks.id', 'url', 'sealed_secret', 'old_sealed_secret', 'older_sealed_secrets', 'old_secret_until'])
    .select(mayCreatorConnect('webhooks', ctx).as('is_connected'))
    .where('webhooks.id', '=', id)
    .where('stopped_at', 'is', null)
    .executeTakeFirst()

type ReplacedSecrets = Pick<Selectable<Webhooks>, 'old_sealed_secret' | 'older_sealed_secrets' | 'old_secret_until'>

/** The encrypted secrets that calls are still signed with besides the current one, latest first. */
export const replacedSecrets = ({ old_sealed_secret, older_sealed_secrets, old_secret_until }: ReplacedSecrets, now: Date): string[] =>
  old_sealed_secret !== null && old_secret_until !== null && old_secret_until > now ? [old_sealed_secret, ...older_sealed_secrets] : []

const deliveryColumns = ['id', 'event', 'payload', 'state', 'tries', 'status', 'error', 'created_at', 'tried_at', 'next_try_at'] as const

const selectDeliveries = (db: Db, webhookId: string) =>
  db.selectFrom('webhook_deliveries').select(deliveryColumns).where('webhook_id', '=', webhookId)

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number]

const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event: row.event as WebhookDelivery['event'],
  payload: row.payload,
  state: row.state,
  tries: row.tries,
  status: row.status,
  error: row.error,
  createdAt: row.created_at.toISOString(),
  triedAt: row.tried_at?.toISOString() ?? null,
  nextTryAt: row.next_try_at?.toISOString() ?? null,
})

export async function deliveriesPage(db: Db, webhookId: string, after: Cursor | null, limit: number): Promise<WebhookDelivery[]> {
  const rows = await selectDeliveries(db, webhookId)
    .$call((query) => newestAfter(query, 'created_at', 'id', after))
    .limit(limit)
    .execute()
  return rows.map(toDelivery)
}

export async function deliveryOf(db: Db, webhookId: string, id: string): Promise<WebhookDelivery> {
  const row = await selectDeliveries(db, webhookId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('This delivery no longer exists. Deliveries are kept for 30 days.')
  return toDelivery(row)
}

export const nextDelivery = (db: Db, webhookId: string, now: Date): Promise<DeliveryRow | undefined> =>
  selectDeliveries(db, webhookId)
    .where('state', '=', 'waiting')
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(1)
    .executeTakeFirst()

/** Gives up on all waiting deliveries. They can be resent. */
export const failWaiting = (tx: Db, webhookId: string, error: string) =>
  tx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', next_try_at: null, error })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
