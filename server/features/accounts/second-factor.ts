import type { SecondFactorState } from '../../../contracts/second-factor.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Session } from '../../kernel/session.ts'
import { recordAudit } from '../audit/index.ts'
import { deleteSessionsOf, findAccountByEmail } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { withCode } from './check-code.ts'
import { seal } from './factor-secret.ts'
import { invitationTo, newSecret } from './one-time-codes.ts'
import { requireProof } from './proof.ts'
import { countRecoveryCodes, renewCodes } from './recovery-codes.ts'
import { deleteFactor, findProof, forgetShown, hasFactor, keepNextSecret, markShown, takeNextSecret } from './second-factor.queries.ts'
import { auditOwn } from './sign-in-news.ts'

export async function getSecondFactor({ db }: Context, { actor, user }: Session): Promise<SecondFactorState> {
  const proof = await findProof(db, actor.id, actor.sessionId)
  return {
    isOn: await hasFactor(db, actor.id),
    isShown: user.secondFactor === 'shown' && actor.role === actor.heldRole,
    recoveryCodesLeft: await countRecoveryCodes(db, actor.id),
    isRequired: actor.heldRole !== 'member',
    hasPassword: proof?.password_hash != null,
  }
}

/**
 * Begins with an authenticator app, the first or another one. Nothing changes before `confirmSecondFactor`. Whose role has to be shown
 * anew shows the app in use first: another one in its place would bring the role back by a password alone.
 * @throws AppError second_factor_required, invalid_input (wrong password), forbidden (no password, and signed in too long ago), too_many_requests
 */
export async function beginSecondFactor(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  password: string,
): Promise<{ uri: string; secret: string }> {
  if (actor.role !== actor.heldRole && (await hasFactor(ctx.db, actor.id))) {
    throw new AppError('second_factor_required', { message: 'Enter a code of the app that you use now first: the admin page asks for it.' })
  }
  const { email } = await requireProof(ctx, auth, actor, password)
  const secret = newSecret()
  const sealed = seal(ctx.config, actor.id, secret)
  await inTransaction(ctx.db, (tx) => keepNextSecret(tx, actor.id, sealed, ctx.clock.now()))
  return invitationTo(secret, ctx.brand.name, email)
}

/**
 * Turns it on, or over to the app that was set up. This session has shown it by that; all others of the account owe it.
 * @throws AppError as `withCode`
 */
export async function confirmSecondFactor(ctx: Context, actor: Actor, code: string): Promise<string[]> {
  const now = ctx.clock.now()
  return withCode(ctx, actor, { code, which: 'next' }, async (tx, shown, factor) => {
    if (factor.next_secret === null || shown.kind !== 'app') throw new AppError('conflict')
    await takeNextSecret(tx, actor.id, { secret: factor.next_secret, step: shown.step }, now)
    const codes = await renewCodes(tx, actor.id)
    await forgetShown(tx, actor.id, actor.sessionId)
    await markShown(tx, actor.sessionId, now)
    const change = factor.confirmed_at === null ? 'on' : 'replaced'
    await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change }, { tx })
    await auditOwn(ctx, tx, actor.id, change === 'on' ? 'second_factor.turned_on' : 'second_factor.replaced')
    return codes
  })
}

/** @throws AppError as `withCode` */
export async function showSecondFactor(ctx: Context, actor: Actor, code: string): Promise<void> {
  const now = ctx.clock.now()
  await withCode(ctx, actor, { code, which: 'used' }, async (tx, { kind }) => {
    await markShown(tx, actor.sessionId, now)
    if (kind === 'recovery') await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change: 'recovered' }, { tx })
    await auditOwn(ctx, tx, actor.id, kind === 'recovery' ? 'second_factor.recovery_used' : 'second_factor.shown')
  })
}

/** @throws AppError as `withCode` */
export function renewRecoveryCodes(ctx: Context, actor: Actor, code: string): Promise<string[]> {
  return withCode(ctx, actor, { code, which: 'used' }, async (tx) => {
    const codes = await renewCodes(tx, actor.id)
    await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change: 'renewed' }, { tx })
    await auditOwn(ctx, tx, actor.id, 'second_factor.codes_renewed')
    return codes
  })
}

/** @throws AppError forbidden (a moderator or admin), what `beginSecondFactor` throws of the password, and as `withCode` */
export async function turnOffSecondFactor(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  given: { password: string; code: string },
): Promise<void> {
  if (actor.heldRole !== 'member') {
    throw new AppError('forbidden', { message: 'Moderators and admins keep their second factor. You can change to another app.' })
  }
  await requireProof(ctx, auth, actor, given.password)
  await withCode(ctx, actor, { code: given.code, which: 'used' }, async (tx) => {
    await deleteFactor(tx, actor.id)
    await forgetShown(tx, actor.id, null)
    await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change: 'off' }, { tx })
    await auditOwn(ctx, tx, actor.id, 'second_factor.turned_off')
  })
}

/**
 * For the operator, when somebody has lost the app and every recovery code: the factor goes, and every session ends.
 * @returns the account's id and whether it had one; null when the address has no account
 */
export async function resetSecondFactor(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  email: string,
): Promise<{ userId: string; hadOne: boolean } | null> {
  const account = await findAccountByEmail(db, email)
  if (!account) return null
  const hadOne = await inTransaction(db, async (tx) => {
    if (!(await deleteFactor(tx, account.id))) return false
    await deleteSessionsOf(tx, account.id)
    const entry = { actorId: null, action: 'second_factor.reset', subjectType: 'user', subjectId: account.id } as const
    await recordAudit(tx, { ...entry, at: clock.now() })
    return true
  })
  return { userId: account.id, hadOne }
}
