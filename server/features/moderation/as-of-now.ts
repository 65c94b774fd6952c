import type { Role } from '../../../contracts/accounts.ts'
import type { Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/errors.ts'

const rank: Record<Role, number> = { member: 0, moderator: 1, admin: 2 }

/**
 * An actor whose account the transaction holds (`holdInOrder`), with what they may do by now. Of two who ban each other, or of whom one
 * bans and the other takes the role away, at one moment, the second has nothing to say any more: there is always an admin left.
 * @throws AppError suspended
 */
export async function asOfNow(tx: Tx, actor: Actor, now: Date): Promise<Actor> {
  const account = await tx
    .selectFrom('users')
    .select(['role', 'suspended_until', 'banned_at'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  if (account.banned_at !== null || (account.suspended_until !== null && account.suspended_until > now)) throw new AppError('suspended')
  return { ...actor, role: rank[account.role] < rank[actor.role] ? account.role : actor.role, heldRole: account.role }
}
