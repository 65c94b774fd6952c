import { randomBytes } from 'node:crypto'
import type { WebhookEvent } from '#contracts/choices.ts'
import { maxWebhooks } from '#contracts/limits.ts'
import { dayMs } from '#contracts/time.ts'
import type { Webhook, WebhookDelivery } from '#contracts/webhooks.ts'
import type { Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import type { ProgramAccess } from '#server/features/accounts/index.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { type Context, OutsideRefused } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { type Seal, seal } from '#server/kernel/secrets.ts'
import { addDelivery } from './record-events.ts'
import { deliveryOf, failWaiting, lockWebhook, replacedSecrets, webhookOf } from './webhooks.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'jobs' | 'outside'>
type WithSecret = { webhook: Webhook; secret: string }

/** For this long after a rotation, calls are also signed with the replaced secrets. */
const rotationMs = dayMs
/** Each secret adds a signature to a header. */
const maxReplacedSecrets = 10

export const sealOf = ({ sessionSecret }: Pick<Context['config'], 'sessionSecret'>, webhookId: string): Seal => ({
  serverSecret: sessionSecret,
  purpose: 'webhook secrets 1',
  about: webhookId,
})

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/**
 * The secret is returned once, so the call isn't idempotent. The unique address keeps a retry from creating a second webhook.
 * @throws AppError not_found, forbidden, invalid_input if the address isn't on the public web or an event is listed twice, unavailable,
 * conflict
 */
export async function createWebhook(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  { url, events }: { url: string; events: readonly WebhookEvent[] },
): Promise<WithSecret> {
  const { clock, config, db } = ctx
  requireDifferent(events)
  // The permission is checked first, so that strangers can't make this server look up names.
  await requirePermission(db, actor, idOrSlug, 'connections')
  await requirePublic(ctx, url)
  const now = clock.now()
  const secret = newSecret()
  return inTransaction(db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    await requireRoom(tx, business.id)
    const id = newId()
    const sealed_secret = seal(sealOf(config, id), secret)
    const values = { id, business_id: business.id, created_by: actor.id, url, events: [...events], sealed_secret, created_at: now }
    await tx.insertInto('webhooks').values(values).execute()
    await audit(tx, actor, 'webhook.created', { id, businessId: business.id, now })
    return { webhook: await webhookOf(tx, ctx, business.id, id), secret }
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'webhooks_business_id_url_key')) throw error
    throw new AppError('conflict', {
      message: 'A webhook with this address already exists. Change that one, or delete it first.',
      fields: { url: 'Another webhook has this address' },
    })
  })
}

/** @throws AppError invalid_input, unavailable if the name can't be looked up now */
export async function requirePublic({ outside }: Pick<Context, 'outside'>, url: string): Promise<void> {
  try {
    await outside.check(url)
  } catch (error) {
    if (error instanceof OutsideRefused) throw invalidField('url', error.message)
    throw new AppError('unavailable', {
      message: 'The name in this address couldn’t be looked up. Try again in a minute.',
      retryAfterSeconds: 60,
      cause: error,
    })
  }
}

function requireDifferent(events: readonly WebhookEvent[]): void {
  const twice = events.findIndex((event, i) => events.indexOf(event) !== i)
  if (twice !== -1) throw invalidField(`events.${twice}`, 'This is listed twice')
}

/** Locks the business's row, so that concurrent calls can't exceed the limit. */
async function requireRoom(tx: Tx, businessId: string): Promise<void> {
  await tx.selectFrom('businesses').select('id').where('id', '=', businessId).forNoKeyUpdate().execute()
  if ((await countRows(tx.selectFrom('webhooks').where('business_id', '=', businessId))) < maxWebhooks) return
  throw new AppError('conflict', { message: `A business can have up to ${maxWebhooks} webhooks. Delete one you no longer use.` })
}

type Change = { events?: readonly WebhookEvent[] | undefined; isStopped?: boolean | undefined }

/** The person who resumes a webhook becomes its creator. @throws AppError not_found, forbidden, invalid_input for an event listed twice */
export function updateWebhook(ctx: Ctx, actor: Actor, idOrSlug: string, id: string, { events, isStopped }: Change): Promise<Webhook> {
  const now = ctx.clock.now()
  if (events) requireDifferent(events)
  return inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    const before = await lockWebhook(tx, business.id, id)
    const update = tx.updateTable('webhooks').where('id', '=', id)
    if (events) await update.set({ events: [...events] }).execute()
    const wasStopped = before.stopped_at !== null || (await webhookOf(tx, ctx, business.id, id)).state === 'stopped'
    if (isStopped === true && before.stopped_at === null) {
      await stop(tx, id, now)
      await audit(tx, actor, 'webhook.stopped', { id, businessId: business.id, now })
    }
    if (isStopped === false && wasStopped) {
      await update.set({ stopped_at: null, stop_reason: null, failing_since: null, created_by: actor.id }).execute()
      // Events from when the webhook's creator couldn't manage connections may still be waiting.
      await failWaiting(tx, id, 'The webhook was stopped.')
      await audit(tx, actor, 'webhook.resumed', { id, businessId: business.id, now })
    }
    return webhookOf(tx, ctx, business.id, id)
  })
}

/** For a business whose team is gone. */
export const deleteWebhooksOf = (tx: Tx, businessId: string) => tx.deleteFrom('webhooks').where('business_id', '=', businessId).execute()

async function stop(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('webhooks').set({ stopped_at: now, stop_reason: 'by_team', failing_since: null }).where('id', '=', id).execute()
  await failWaiting(tx, id, 'The webhook was stopped.')
}

export const webhookAccess: ProgramAccess = {
  async endSince(tx, { userId, since }, now) {
    const created = await tx
      .selectFrom('webhooks')
      .select('id')
      .where('created_by', '=', userId)
      .where('created_at', '>=', since)
      .where('stopped_at', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute()
    for (const { id } of created) await stop(tx, id, now)
  },
}

/** @throws AppError not_found about the business, forbidden */
export async function deleteWebhook({ db, clock }: Ctx, actor: Actor, idOrSlug: string, id: string): Promise<void> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    const { numDeletedRows } = await tx
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .where('business_id', '=', business.id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) await audit(tx, actor, 'webhook.deleted', { id, businessId: business.id, now })
  })
}

/** @throws AppError not_found, forbidden, conflict if the secret was replaced too often */
export function rotateSecret(ctx: Ctx, actor: Actor, idOrSlug: string, id: string): Promise<WithSecret> {
  const now = ctx.clock.now()
  const secret = newSecret()
  return inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    const before = await lockWebhook(tx, business.id, id)
    const replaced = replacedSecrets(before, now)
    if (replaced.length === maxReplacedSecrets) {
      throw new AppError('conflict', { message: 'This webhook’s secret was replaced too many times. Try again tomorrow.' })
    }
    await tx
      .updateTable('webhooks')
      .set({
        sealed_secret: seal(sealOf(ctx.config, id), secret),
        old_sealed_secret: before.sealed_secret,
        older_sealed_secrets: replaced,
        old_secret_until: new Date(now.getTime() + rotationMs),
      })
      .where('id', '=', id)
      .execute()
    await audit(tx, actor, 'webhook.secret_replaced', { id, businessId: business.id, now })
    return { webhook: await webhookOf(tx, ctx, business.id, id), secret }
  })
}

/** @throws AppError not_found, forbidden, conflict if the webhook is stopped */
export function testWebhook(ctx: Ctx, actor: Actor, idOrSlug: string, id: string): Promise<WebhookDelivery> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    await requireRunning(tx, ctx, business.id, id)
    const event = { event: 'webhook.test' as const, key: newId(), at: now, data: { businessId: business.id } }
    return deliveryOf(tx, id, (await addDelivery(tx, ctx, id, event)) as string)
  })
}

/** @throws AppError not_found, forbidden, conflict if the webhook is stopped */
export function resendDelivery(ctx: Ctx, actor: Actor, idOrSlug: string, id: string, deliveryId: string): Promise<WebhookDelivery> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    await requireRunning(tx, ctx, business.id, id)
    await tx
      .updateTable('webhook_deliveries')
      .set({ state: 'waiting', next_try_at: now })
      .where('id', '=', deliveryId)
      .where('webhook_id', '=', id)
      .execute()
    const delivery = await deliveryOf(tx, id, deliveryId)
    await ctx.jobs.enqueue('webhooks.send', { webhookId: id }, { tx })
    return delivery
  })
}

async function requireRunning(tx: Tx, ctx: Ctx, businessId: string, id: string): Promise<void> {
  await lockWebhook(tx, businessId, id)
  const { state } = await webhookOf(tx, ctx, businessId, id)
  if (state === 'stopped') throw new AppError('conflict', { message: 'This webhook is stopped. Resume it first.' })
}

const audit = (tx: Tx, actor: Actor, action: `webhook.${string}`, { id, businessId, now }: { id: string; businessId: string; now: Date }) =>
  recordAudit(tx, { at: now, actorId: actor.id, action, subjectType: 'webhook', subjectId: id, businessId })
