import type { Db, Tx } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { openIdProvider, passwordProvider } from './accounts.queries.ts'

/** Whoever changes how an account signs in holds its row: of two ways in that are removed at once, the second is looked at without the first. */
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

/** The ways to sign in that an account has; an OpenID provider counts only as long as the site has one. */
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
 * What is left after one way is taken away; call it behind `lockAccount`, with the way gone already.
 * @throws AppError conflict when nothing is left
 */
export async function requireWayIn(tx: Tx, config: Pick<Context['config'], 'oidc'>, userId: string): Promise<void> {
  const { password, openId, passkeys } = await waysIn(tx, config, userId)
  if (password || openId || passkeys > 0) return
  throw new AppError('conflict', { message: 'This is the only way to sign in to your account. Set a password or add a passkey first.' })
}
