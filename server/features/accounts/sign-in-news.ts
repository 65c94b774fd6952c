import type { Tx } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import { recordAudit } from '../audit/index.ts'
import type { SignInChange } from './accounts.mails.ts'

const actions = {
  'password-changed': 'password.changed',
  'passkey-added': 'passkey.added',
  'passkey-removed': 'passkey.removed',
  'openid-connected': 'openid.connected',
  'openid-disconnected': 'openid.disconnected',
} as const satisfies Record<SignInChange, string>

/** Tells the owner by mail how signing in to their account has changed, and writes it into the audit log: the last thing of the transaction. */
export async function tellOfChange(ctx: Pick<Context, 'clock' | 'jobs'>, tx: Tx, userId: string, change: SignInChange): Promise<void> {
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

/** Open pages of sessions that have ended close at once, on every process. */
export const tellSessionsEnded = (ctx: Pick<Context, 'live'>, userId: string): Promise<void> =>
  ctx.live.publish({ kind: 'sessions', userIds: [userId] })
