import type { AccountType, Role } from '../../contracts/accounts.ts'
import { ageOn, utcDate } from '../../contracts/age.ts'
import type { Access } from '../../contracts/endpoint.ts'
import { AppError } from './errors.ts'

/** Who makes the request. */
export type Actor = {
  id: string
  sessionId: string
  role: Role
  userType: AccountType
  /** Null until an OpenID sign-up told it. */
  birthday: string | null
}

const rank: Record<Role, number> = { member: 0, moderator: 1, admin: 2 }

export const hasRole = (actor: Actor, role: Role): boolean => rank[actor.role] >= rank[role]

/** The viewer's age in whole years, or null when nobody is signed in or the birthday is not known. */
export const ageOf = (actor: Pick<Actor, 'birthday'> | null, now: Date): number | null =>
  actor?.birthday ? ageOn(actor.birthday, utcDate(now)) : null

/**
 * The first gate of every call. Denies by default: an access level that is not named here is refused.
 * @throws AppError signed_out, birthday_required, forbidden
 */
export function requireAccess(access: Access, actor: Actor | null): void {
  if (access === 'public') return
  if (!actor) throw new AppError('signed_out')
  if (access === 'account') return
  if (actor.birthday === null) throw new AppError('birthday_required')
  if (access === 'member') return
  if ((access === 'moderator' || access === 'admin') && hasRole(actor, access)) return
  throw new AppError('forbidden')
}
