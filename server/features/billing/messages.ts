import type { FastifyReply, FastifyRequest } from 'fastify'
import { PaymentProviderName } from '../../../contracts/billing.ts'
import { isUuid } from '../../../contracts/ids.ts'
import { inTransaction } from '../../db/transaction.ts'
import { admit } from '../../kernel/admit.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { maxPublicBodyBytes } from '../../kernel/json-body.ts'
import type { Headers, PaymentProvider } from '../../kernel/payments.ts'
import type { Api } from '../../kernel/route.ts'
import { findAccount, providerFor, providerOfAccount } from './payment-accounts.queries.ts'
import { type SyncCtx, syncSubscription } from './sync-agreement.ts'

type MessageData = { provider: string; accountId?: string | null; subscriptionId: string; messageId: string }

declare module '../../kernel/jobs.ts' {
  interface JobData {
    /** A provider said that something changed: asks it what. */
    'billing.sync': MessageData
  }
}

const path = '/api/billing/messages/:provider'
/** Of a business's own account. */
const accountPath = '/api/billing/messages/paypal/:accountId'

/**
 * A provider's messages. They come without a session and from nowhere we know, so the check of a write's origin does not apply; the
 * signature over the bytes, exactly as they came, is all that counts. Answered before anything is done about it.
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
        throw new AppError('invalid_input', { message: 'This is not signed by the payment provider.' })
      }
      return reply.status(204).send()
    }
    scope.post(path, (request: FastifyRequest<{ Params: { provider: string } }>, reply) =>
      take(request, reply, async () => {
        const name = PaymentProviderName.safeParse(request.params.provider)
        return name.success ? ctx.payments.find(name.data) : null
      }),
    )
    scope.post(accountPath, (request: FastifyRequest<{ Params: { accountId: string } }>, reply) =>
      take(request, reply, async () => {
        const { accountId } = request.params
        const account = isUuid(accountId) ? await findAccount(ctx.db, accountId) : undefined
        return account ? providerOfAccount(ctx, account) : null
      }),
    )
  })
}

/**
 * Takes a signed message, each once by its id. It is a hint and no more: the job that follows asks the provider, so it does not
 * matter what else the message says, nor in which order messages come. Answers whether it was signed.
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

/** @throws ProviderUnavailable: the queue asks again later */
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
