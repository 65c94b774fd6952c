import type { Db, Tx } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { openIdProvider, passwordProvider } from './accounts.queries.ts'

/** Serializes changes to an account's sign-in methods, so that two concurrent removals can't leave none. */
export async function lockAccount(tx: Tx, userId: string) {
  const account = await tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!account) throw new AppError('signed_out')
  return account
}

/** An OpenID connection counts only while the site has a provider. */
export async function waysIn(db: Db, config: Pick<Context['config'], 'oidc'>, userId: string) {
  const credentials = await db
    .selectFrom('credentials')
    .select(['provider_id', 'created_at', 'updated_at', 'password'])
    .where('user_id', '=', userId)
    .execute()
  const { count } = await db
    .selectFrom('passkeys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    password: credentials.find((each) => each.provider_id === passwordProvider && each.password !== null) ?? null,
    openId: config.oidc ? (credentials.find((each) => each.provider_id === openIdProvider) ?? null) : null,
    passkeys: Number(count),
  }
}

/**
 * Ensures that a sign-in method remains. Call after `lockAccount` and after removing the method.
 * @throws AppError conflict if none remains
 */
export async function requireWayIn(tx: Tx, config: Pick<Context['config'], 'oidc'>, userId: string): Promise<void> {
  const { password, openId, passkeys } = await waysIn(tx, config, userId)
  if (password || openId || passkeys > 0) return
  throw new AppError('conflict', { message: 'This is the only way to sign in to your account. Set a password or add a passkey first.' })
}
