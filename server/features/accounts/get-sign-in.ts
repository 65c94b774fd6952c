import type { SignInState } from '#contracts/sign-in.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findWaitingChange } from './email-changes.queries.ts'
import { canHavePasskeys } from './passkey-ceremony.ts'
import { passkeysOf } from './passkeys.queries.ts'
import { toPasskey } from './passkeys.ts'
import { isProven } from './proof.ts'
import { findProof, hasFactor } from './second-factor.queries.ts'
import { waysIn } from './ways-in.ts'

export async function getSignIn({ db, config, clock }: Context, actor: Actor): Promise<SignInState> {
  const now = clock.now()
  const proof = await findProof(db, actor.id, actor.sessionId)
  if (!proof) throw new AppError('signed_out')
  const change = await findWaitingChange(db, actor.id, now)
  const { password, openId } = await waysIn(db, config, actor.id)
  return {
    email: proof.email,
    emailChange: change
      ? { email: change.new_email, requestedAt: change.requested_at.toISOString(), expiresAt: change.expires_at.toISOString() }
      : null,
    hasPassword: password !== null,
    passwordChangedAt: password?.updated_at.toISOString() ?? null,
    isProven: isProven(proof, now),
    mustShowSecondFactor: actor.role !== actor.grantedRole,
    hasSecondFactor: await hasFactor(db, actor.id),
    canHavePasskeys: canHavePasskeys({ config }),
    passkeys: (await passkeysOf(db, actor.id)).map(toPasskey),
    openId: config.oidc ? { name: config.oidc.name, connectedAt: openId?.created_at.toISOString() ?? null } : null,
  }
}
