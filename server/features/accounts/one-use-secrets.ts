import { isUuid, safeReturnTo } from '#contracts/addresses.ts'
import { hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { hashOfSecret, newSecret } from '#server/kernel/secrets.ts'
import { type Account, confirmSignUp, findAccount } from './accounts.queries.ts'
import { consumeMailLimit, type Origin } from './limits.ts'

type NewSecret = { identifier: string; value: string; lifetimeMs: number }

export async function storeValue(db: Db, { identifier, value, lifetimeMs }: NewSecret, now: Date): Promise<void> {
  const times = { created_at: now, updated_at: now, expires_at: new Date(now.getTime() + lifetimeMs) }
  await db
    .insertInto('verifications')
    .values({ id: newId(), identifier, value, ...times })
    .execute()
}

/** Stores only the secret's hash, so that a leaked table is useless. */
export async function issueSecret(db: Db, identifier: string, lifetimeMs: number, now: Date): Promise<string> {
  const secret = newSecret()
  await storeValue(db, { identifier, value: hashOfSecret(secret), lifetimeMs }, now)
  return secret
}

export async function isSecretValid(db: Db, identifier: string, secret: string, now: Date): Promise<boolean> {
  const stored = await db
    .selectFrom('verifications')
    .select('id')
    .where('identifier', '=', identifier)
    .where('value', '=', hashOfSecret(secret))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return stored !== undefined
}

/** Also spends every other secret with the same identifier. Only one of two concurrent calls returns true. */
export async function consumeSecret(db: Db, identifier: string, secret: string, now: Date): Promise<boolean> {
  const used = await db
    .deleteFrom('verifications')
    .where('identifier', '=', identifier)
    .where('value', '=', hashOfSecret(secret))
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  if (!used) return false
  await deleteValues(db, identifier)
  return true
}

/** Deletes every value and returns the newest, or null if there is none or it expired. Only one of two concurrent calls gets it. */
export async function takeValue(db: Db, identifier: string, now: Date): Promise<string | null> {
  const taken = await db.deleteFrom('verifications').where('identifier', '=', identifier).returning(['id', 'value', 'expires_at']).execute()
  const last = taken.sort((a, b) => (a.id < b.id ? 1 : -1))[0]
  return last && last.expires_at > now ? last.value : null
}

export async function deleteValues(db: Db, identifier: string): Promise<void> {
  await db.deleteFrom('verifications').where('identifier', '=', identifier).execute()
}

type Purpose = 'verify-email' | 'reset-password'

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
  return (await isSecretValid(db, identifierOf(purpose, account), secretOf(token), now)) ? account : null
}

/** Also spends every other token for the same purpose. Only one of two concurrent calls returns true. */
export const consumeMailToken = (tx: Tx, purpose: Purpose, owner: Owner, token: string, now: Date): Promise<boolean> =>
  consumeSecret(tx, identifierOf(purpose, owner), secretOf(token), now)

export const endMailTokens = (tx: Tx, purpose: Purpose, owner: Owner): Promise<void> => deleteValues(tx, identifierOf(purpose, owner))

/**
 * Confirms the address that the link was emailed to, and with it the account's password, so links stop working once someone else may have
 * chosen that password. Idempotent while the link is valid, because email apps and impatient people open links twice. Doesn't sign
 * anyone in.
 * @throws AppError invalid_token
 */
export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  const now = ctx.clock.now()
  const owner = await findMailTokenOwner(ctx.db, 'verify-email', token, now)
  if (!owner) throw new AppError('invalid_token')
  if (!owner.email_verified && !(await confirmSignUp(ctx.db, owner.id, now))) throw new AppError('invalid_token')
}

/**
 * Emails a link to an address. The job looks the account up after the response, so neither the response nor its timing reveals
 * whether there is one. An address that has had enough mail gets no more; its earlier links still work.
 * @throws AppError too_many_requests
 */
export async function requestMail(
  ctx: Context,
  job: 'accounts.mail-reset-link' | 'accounts.mail-verification-link',
  { email, returnTo }: { email: string; returnTo?: string | undefined },
  origin: Origin,
): Promise<void> {
  if (await consumeMailLimit(ctx, email, origin))
    await ctx.jobs.enqueue(job, { email, ...(returnTo !== undefined && { returnTo: safeReturnTo(returnTo) }) })
}
