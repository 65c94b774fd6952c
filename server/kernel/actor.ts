import type { AccountType, Role } from '../../contracts/accounts.ts'
import { ageOn, utcDate } from '../../contracts/age.ts'
import type { Endpoint } from '../../contracts/endpoint.ts'
import type { Trust } from '../../contracts/trust.ts'
import { AppError } from './errors.ts'

/** Who makes the request. */
export type Actor = {
  id: string
  sessionId: string
  /** What this session may use: that of a moderator or admin once it has shown the second factor, until then a member's. */
  role: Role
  /** What the account has. */
  heldRole: Role
  /** The account has a second factor, and this session has not shown it: it may do nothing else first. */
  owesSecondFactor: boolean
  /** How much others read of it in how short a time: see `trustOf`. */
  trust: Trust
  /** Reads, but writes nothing that others read, until then. Null where it does not apply any more. */
  mutedUntil: Date | null
  /** Uses nothing but their own account until then, or `forever`. */
  suspendedUntil: Date | 'forever' | null
  /** They have a plan of their own; what it unlocks is asked where it counts. */
  hasPlan: boolean
  /** The account is to be deleted then: nothing is done with it but keeping it. */
  leavesAt: Date | null
  userType: AccountType
  /** Its password is public: see `DemoGate`. */
  isDemo: boolean
  /** Null until an OpenID sign-up told it. */
  birthday: string | null
}

const rank: Record<Role, number> = { member: 0, moderator: 1, admin: 2 }

export const hasRole = (actor: Pick<Actor, 'role'>, role: Role): boolean => rank[actor.role] >= rank[role]

/** The viewer's age in whole years, or null when nobody is signed in or the birthday is not known. */
export const ageOf = (actor: Pick<Actor, 'birthday'> | null, now: Date): number | null =>
  actor?.birthday ? ageOn(actor.birthday, utcDate(now)) : null

type Gate = Pick<Endpoint, 'access'> & Partial<Pick<Endpoint, 'words' | 'whileSuspended' | 'beforeSecondFactor' | 'whileLeaving'>>

/**
 * The first gate of every call. Denies by default: an access level that is not named here is refused.
 * @throws AppError signed_out, second_factor_required, account_leaving, suspended, birthday_required, muted, forbidden
 */
export function requireAccess(
  { access, words, whileSuspended = false, beforeSecondFactor = false, whileLeaving = false }: Gate,
  actor: Actor | null,
): void {
  if (access === 'public') return
  if (!actor) throw new AppError('signed_out')
  if (actor.owesSecondFactor && !beforeSecondFactor) throw codeOwed()
  // What shows the second factor comes before that.
  if (actor.leavesAt !== null && !whileLeaving && !actor.owesSecondFactor) throw leaving(actor.leavesAt)
  if (actor.suspendedUntil !== null && !whileSuspended) throw suspended(actor.suspendedUntil)
  if (words === 'published') requireVoice(actor)
  if (access === 'account') return
  if (actor.birthday === null) throw new AppError('birthday_required')
  if (access === 'member') return
  if (access === 'moderator' || access === 'admin') {
    if (hasRole(actor, access)) return
    if (rank[actor.heldRole] >= rank[access]) throw new AppError('second_factor_required')
  }
  throw new AppError('forbidden')
}

/** For what others read. Calls whose words are `published` ask this before they run, `mixed` ones where they publish. @throws AppError muted */
export function requireVoice({ mutedUntil }: Pick<Actor, 'mutedUntil'>): void {
  if (mutedUntil !== null) throw muted(mutedUntil)
}

const codeOwed = () =>
  new AppError('second_factor_required', { message: 'Enter the code of your authenticator app first: this account has a second factor.' })

/** As a person reads it, in UTC like every day that the server names. */
const until = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const leaving = (end: Date) =>
  new AppError('account_leaving', {
    message: `This account is to be deleted on ${end.toISOString().slice(0, 10)}. Keep it to go on.`,
  })

const suspended = (end: Date | 'forever') =>
  new AppError('suspended', {
    message:
      end === 'forever'
        ? 'This account is banned. You can see why, and appeal.'
        : `This account is suspended until ${until(end)}. You can see why, and appeal.`,
  })

const muted = (end: Date) =>
  new AppError('muted', { message: `Until ${until(end)} you can read here, but not write. You can see why, and appeal.` })
