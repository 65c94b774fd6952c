import type { Tx } from '#server/db/connect.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { SignInChange } from './accounts.mails.ts'

const actions = {
  'password-changed': 'password.changed',
  'passkey-added': 'passkey.added',
  'passkey-removed': 'passkey.removed',
  'openid-connected': 'openid.connected',
  'openid-disconnected': 'openid.disconnected',
} as const satisfies Record<SignInChange, string>

/** Queues an email to the owner and adds to the audit log. Call last in the transaction. */
export async function sendSignInNotice(ctx: Pick<Context, 'clock' | 'jobs'>, tx: Tx, userId: string, change: SignInChange): Promise<void> {
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
