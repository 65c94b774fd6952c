import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '#contracts/addresses.ts'
import { PaymentProviderName } from '#contracts/billing.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { maxPublicBodyBytes } from '#server/kernel/json-body.ts'
import type { Headers, PaymentProvider } from '#server/kernel/payments.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import { findAccount, providerFor, providerOfAccount } from './payment-accounts.queries.ts'
import { type SyncCtx, syncSubscription } from './sync-agreement.ts'

type MessageData = { provider: string; accountId?: string | null; subscriptionId: string; messageId: string }

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'billing.sync': MessageData
  }
}

const path = '/api/billing/messages/:provider'
const accountPath = '/api/billing/messages/:provider/:accountId'

/**
 * Providers' webhooks come without a session and from unknown origins, so the origin check for writes doesn't apply. Only the
 * signature over the raw bytes counts. The response is sent before the webhook is processed.
 */
export function addMessages({ app, ctx }: Api): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxPublicBodyBytes }, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', (request) => admit(ctx, request, 'write'))
    const take = async (request: FastifyRequest, reply: FastifyReply, find: () => Promise<PaymentProvider | null>) => {
      const provider = await find()
      if (!provider) throw notFound()
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!(await receiveMessage(ctx, provider, request.headers, body))) {
        throw new AppError('invalid_input', { message: 'This isn’t signed by the payment provider.' })
      }
      return reply.status(204).send()
    }
    scope.post(path, (request: FastifyRequest<{ Params: { provider: string } }>, reply) =>
      take(request, reply, async () => {
        const name = PaymentProviderName.safeParse(request.params.provider)
        return name.success ? ctx.payments.find(name.data) : null
      }),
    )
    scope.post(accountPath, (request: FastifyRequest<{ Params: { provider: string; accountId: string } }>, reply) =>
      take(request, reply, async () => {
        const { provider, accountId } = request.params
        const account = isUuid(accountId) ? await findAccount(ctx.db, accountId) : undefined
        return account?.provider === provider ? providerOfAccount(ctx, account) : null
      }),
    )
  })
}

/**
 * Accepts a signed webhook, once per ID. It is only a hint: the queued job queries the provider, so the webhook's other content and
 * the order of webhooks don't matter. Returns whether it was signed.
 */
export async function receiveMessage(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs'>,
  provider: PaymentProvider,
  headers: Headers,
  body: Buffer,
) {
  const message = await provider.verifyMessage(headers, body)
  if (!message) return false
  const { subscriptionId } = message
  await inTransaction(ctx.db, async (tx) => {
    const isNew = await tx
      .insertInto('payment_messages')
      .values({
        provider: provider.name,
        account_id: provider.accountId,
        message_id: message.id,
        type: message.type,
        subscription_id: subscriptionId,
        received_at: ctx.clock.now(),
        handled_at: subscriptionId === null ? ctx.clock.now() : null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('message_id')
      .executeTakeFirst()
    if (!isNew || subscriptionId === null) return
    const data = { provider: provider.name, accountId: provider.accountId, subscriptionId, messageId: message.id }
    await ctx.jobs.enqueue('billing.sync', data, { tx })
  })
  return true
}

export const messageRoutes: readonly string[] = [`POST ${path}`, `POST ${accountPath}`]

/** @throws ProviderUnavailable so that the queue retries */
export async function handleMessage(ctx: SyncCtx, data: MessageData): Promise<void> {
  const { accountId = null } = data
  const provider = await providerFor(ctx, { provider: PaymentProviderName.parse(data.provider), account_id: accountId })
  if (provider) await syncSubscription(ctx, provider, data.subscriptionId)
  await ctx.db
    .updateTable('payment_messages')
    .set({ handled_at: ctx.clock.now() })
    .where('provider', '=', data.provider)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('message_id', '=', data.messageId)
    .execute()
}
