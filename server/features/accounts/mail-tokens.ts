import { isUuid } from '#contracts/addresses.ts'
import { hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Account, findAccount, markEmailVerified } from './accounts.queries.ts'
import { mayMail, type Origin } from './limits.ts'
import { forgetValues, isSecretGood, issueSecret, spendSecret } from './one-use-secrets.ts'

export type Purpose = 'verify-email' | 'reset-password'

const lifetimeMs: Record<Purpose, number> = { 'verify-email': 24 * hourMs, 'reset-password': hourMs }

type Owner = Pick<Account, 'id' | 'email'>

/** Includes the address: a link emailed to a former address proves nothing about the current one. */
const identifierOf = (purpose: Purpose, owner: Owner) => `${purpose}:${owner.id}:${owner.email}`

const secretOf = (token: string) => token.split('.')[1] ?? ''

export async function issueMailToken(db: Db, purpose: Purpose, owner: Owner, now: Date): Promise<string> {
  return `${owner.id}.${await issueSecret(db, identifierOf(purpose, owner), lifetimeMs[purpose], now)}`
}

/** Null if the token is forged, used or expired. */
export async function findMailTokenOwner(db: Db, purpose: Purpose, token: string, now: Date): Promise<Account | null> {
  const [accountId = ''] = token.split('.')
  const account = isUuid(accountId) ? await findAccount(db, accountId) : undefined
  if (!account) return null
  return (await isSecretGood(db, identifierOf(purpose, account), secretOf(token), now)) ? account : null
}

/** Spends the token and every other token for the same purpose. Only one of two concurrent calls returns true. */
export const consumeMailToken = (tx: Tx, purpose: Purpose, owner: Owner, token: string, now: Date): Promise<boolean> =>
  spendSecret(tx, identifierOf(purpose, owner), secretOf(token), now)

export const endMailTokens = (tx: Tx, purpose: Purpose, owner: Owner): Promise<void> => forgetValues(tx, identifierOf(purpose, owner))

/**
 * Confirms the address that the link was emailed to. Idempotent while the link is valid, because email apps and impatient
 * people open links twice. Does not sign in.
 * @throws AppError invalid_token
 */
export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  const now = ctx.clock.now()
  const owner = await findMailTokenOwner(ctx.db, 'verify-email', token, now)
  if (!owner) throw new AppError('invalid_token')
  await markEmailVerified(ctx.db, owner.id, now)
}

/**
 * Emails a link to an address. The job looks the account up after the response, so neither the response nor its timing reveals
 * whether there is one. An address that has had enough mail gets no more; its earlier links still work.
 * @throws AppError too_many_requests
 */
export async function requestMail(
  ctx: Context,
  job: 'accounts.mail-reset-link' | 'accounts.mail-verification-link',
  email: string,
  origin: Origin,
): Promise<void> {
  if (await mayMail(ctx, email, origin)) await ctx.jobs.enqueue(job, { email })
}
