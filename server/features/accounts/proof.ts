import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import type { Auth } from './auth.ts'
import { limitProof } from './limits.ts'
import { findProof } from './second-factor.queries.ts'

/** A session that has shown a passkey, or that began without a password, is asked for nothing for this long. */
const provenForMs = 600_000

type Proof = NonNullable<Awaited<ReturnType<typeof findProof>>>

/** Has this session just shown who it is? */
export function isProven({ password_hash, session_began_at, session_proven_at }: Proof, now: Date): boolean {
  const isRecent = (at: Date | null) => at !== null && now.getTime() - at.getTime() <= provenForMs
  // An account of an OpenID provider has no password; it has just signed in, then.
  return isRecent(session_proven_at) || (password_hash === null && isRecent(session_began_at))
}

/**
 * Who changes how one signs in says again who they are: whoever sits at an open page has not shown that they know the password. A passkey
 * does as well (`showPasskey`).
 * @throws AppError signed_out, invalid_input (wrong password), forbidden (no password, and signed in too long ago), too_many_requests
 */
export async function requireProof(ctx: Context, auth: Auth, actor: Actor, password: string): Promise<{ email: string }> {
  const proof = await findProof(ctx.db, actor.id, actor.sessionId)
  if (!proof) throw new AppError('signed_out')
  if (isProven(proof, ctx.clock.now())) return proof
  if (proof.password_hash === null) {
    throw new AppError('forbidden', { message: 'Sign out and in again, and come back within ten minutes: that shows that it is you.' })
  }
  await limitProof(ctx, actor)
  if (!(await auth.verifyPassword(password, proof.password_hash))) throw invalidField('password', 'This is not your password.')
  return proof
}

/**
 * Moderators and admins change how they sign in only in a session that has shown the second factor: whoever knows their password alone
 * shall not make a way in that brings the role.
 * @throws AppError second_factor_required
 */
export function requireRoleShown({ role, heldRole }: Actor): void {
  if (role !== heldRole) throw new AppError('second_factor_required')
}
