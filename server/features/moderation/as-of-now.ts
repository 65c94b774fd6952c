import type { Role } from '#contracts/accounts.ts'
import type { Tx } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'

const rank: Record<Role, number> = { member: 0, moderator: 1, admin: 2 }

/**
 * Re-reads what an actor may do, with the account locked (`lockConcerned`). If two admins ban each other or one demotes the other at the
 * same moment, only the first succeeds, so an admin always remains.
 * @throws AppError suspended
 */
export async function asOfNow(tx: Tx, actor: Actor, now: Date): Promise<Actor> {
  const account = await tx
    .selectFrom('users')
    .select(['role', 'suspended_until', 'banned_at'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  if (account.banned_at !== null || (account.suspended_until !== null && account.suspended_until > now)) throw new AppError('suspended')
  return { ...actor, role: rank[account.role] < rank[actor.role] ? account.role : actor.role, grantedRole: account.role }
}
