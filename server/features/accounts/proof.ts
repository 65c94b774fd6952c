import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import type { SignInChange } from './accounts.mails.ts'
import { openIdProvider, passwordProvider } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { limitProof } from './limits.ts'
import { findProof } from './second-factor.queries.ts'

/** In ms. How long using a passkey, or signing in to an account without a password, counts as proof. */
const provenForMs = 600_000

type Proof = NonNullable<Awaited<ReturnType<typeof findProof>>>

export function isProven({ password_hash, session_began_at, session_proven_at }: Proof, now: Date): boolean {
  const isRecent = (at: Date | null) => at !== null && now.getTime() - at.getTime() <= provenForMs
  // People sign in to an account without a password by passkey or OpenID provider, so a recent sign-in is the proof.
  return isRecent(session_proven_at) || (password_hash === null && isRecent(session_began_at))
}

/**
 * Changing sign-in methods requires re-authentication, because a person at an unattended page may not know the password. A
 * passkey is also accepted (`reauthenticateWithPasskey`).
 * @throws AppError signed_out, invalid_input (wrong password), forbidden (no password, and signed in too long ago),
 * too_many_requests
 */
export async function requireProof(ctx: Context, auth: Auth, actor: Actor, password: string): Promise<{ email: string }> {
  const proof = await findProof(ctx.db, actor.id, actor.sessionId)
  if (!proof) throw new AppError('signed_out')
  if (isProven(proof, ctx.clock.now())) return proof
  if (proof.password_hash === null) {
    throw new AppError('forbidden', { message: 'Sign out, sign in again and come back within ten minutes to confirm it’s you.' })
  }
  await limitProof(ctx, actor)
  if (!(await auth.verifyPassword(password, proof.password_hash))) throw invalidField('password', 'This isn’t your password.')
  return proof
}

/**
 * Moderators and admins can change sign-in methods only in a session that has confirmed the second factor. Otherwise the password
 * alone could add a sign-in method that grants the role.
 * @throws AppError second_factor_required
 */
export function requireActiveRole({ role, grantedRole }: Actor): void {
  if (role !== grantedRole) throw new AppError('second_factor_required')
}

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

/**
 * `lockAccount` for a request by a signed-in person. A password reset may have ended the session while the request checked a password
 * or waited for a provider, and nothing that the request adds may outlive it.
 * @throws AppError signed_out
 */
export async function lockOwnAccount(tx: Tx, { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>) {
  const account = await lockAccount(tx, id)
  const session = await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).forKeyShare().executeTakeFirst()
  if (!session) throw new AppError('signed_out')
  return account
}

/** An OpenID connection counts only while the site uses that provider. */
export async function findSignInMethods(db: Db, { oidc }: Pick<Context['config'], 'oidc'>, userId: string) {
  const credentials = await db
    .selectFrom('credentials')
    .select(['provider_id', 'created_at', 'updated_at', 'password'])
    .where('user_id', '=', userId)
    .execute()
  return {
    password: credentials.find((each) => each.provider_id === passwordProvider && each.password !== null) ?? null,
    openId: oidc ? (credentials.find((each) => each.provider_id === openIdProvider(oidc.issuer)) ?? null) : null,
    passkeys: await countRows(db.selectFrom('passkeys').where('user_id', '=', userId)),
  }
}

/**
 * Ensures that a sign-in method remains. Call after `lockAccount` and after removing the method.
 * @throws AppError conflict if none remains
 */
export async function requireSignInMethod(tx: Tx, config: Pick<Context['config'], 'oidc'>, userId: string): Promise<void> {
  const { password, openId, passkeys } = await findSignInMethods(tx, config, userId)
  if (password || openId || passkeys > 0) return
  throw new AppError('conflict', { message: 'This is the only way to sign in to your account. Set a password or add a passkey first.' })
}

const actions = {
  'password-changed': 'password.changed',
  'passkey-added': 'passkey.added',
  'passkey-removed': 'passkey.removed',
  'key-created': 'person_key.created',
  'openid-connected': 'openid.connected',
  'openid-disconnected': 'openid.disconnected',
} as const satisfies Partial<Record<SignInChange, string>>

/** Also writes to the audit log, so call it last in the transaction. */
export async function sendSignInNotice(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  userId: string,
  change: keyof typeof actions,
): Promise<void> {
  await ctx.jobs.enqueue('accounts.mail-sign-in-change', { userId, change }, { tx })
  await auditOwn(ctx, tx, userId, actions[change])
}

export async function auditOwn(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  userId: string,
  action: `${string}.${string}`,
  details: Record<string, number> = {},
): Promise<void> {
  await recordAudit(tx, { at: ctx.clock.now(), actorId: userId, action, subjectType: 'user', subjectId: userId, details })
}

/** Closes the open pages of ended sessions, on every process. */
export const signalSessionsEnded = (ctx: Pick<Context, 'live'>, userId: string): Promise<void> =>
  ctx.live.publish({ kind: 'sessions', userIds: [userId] })
