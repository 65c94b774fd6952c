import type { AccountType, CurrentUser, Role } from '#contracts/accounts.ts'
import { ageOn, utcDate } from '#contracts/age.ts'
import type { KeyScope, PersonKeyScope } from '#contracts/choices.ts'
import type { Endpoint } from '#contracts/endpoint.ts'
import type { Trust } from '#contracts/people.rules.ts'
import { AppError } from './errors.ts'

export type Session = {
  actor: Actor
  user: CurrentUser
  /** A `Set-Cookie` value to send, because the session was just renewed and the cookie must last as long. */
  renewedCookie: string | null
}

/** Reads the session in a request's `Cookie` header; null if signed out. Implemented by the accounts feature. */
export type SessionReader = {
  /**
   * A session that must still confirm its second factor counts as signed out. With `evenOwing`, it is returned anyway, and the caller must
   * refuse what the session may not do, as `requireAccess` does.
   */
  read(cookieHeader: string | undefined, options?: { evenOwing?: boolean }): Promise<Session | null>
}

export type Actor = {
  id: string
  sessionId: string
  /** The role in effect for this session: until they confirm the second factor, moderators and admins count as members. */
  role: Role
  grantedRole: Role
  /** The account has a second factor, which this session must confirm before anything else. */
  owesSecondFactor: boolean
  /** Limits how much the account may send to others, and how fast: see `trustOf`. */
  trust: Trust
  /** Until this time, the person can read but not publish. Null if not muted. */
  mutedUntil: Date | null
  /** Until this time, the person can only use their own account. */
  suspendedUntil: Date | 'forever' | null
  /** Has a personal plan. Its entitlements are checked where they apply. */
  hasPlan: boolean
  /** When the account will be deleted. Until then, it can do little more than cancel the deletion. */
  leavesAt: Date | null
  userType: AccountType
  /** The password is public: see `DemoGate`. */
  isDemo: boolean
  /** Null for an OpenID sign-up until the person enters a birthday. */
  birthday: string | null
}

/** A business's API key that makes a call. It acts only for its business and is never a person. */
export type KeyActor = {
  id: string
  name: string
  businessId: string
  scopes: readonly KeyScope[]
  /** The author of the key's posts. The author's limits apply to what the key publishes. */
  creator: Pick<Actor, 'id' | 'trust' | 'birthday'>
  mutedUntil: Date | null
}

/** Finds the working key in a request's `Authorization` header. Implemented by the keys feature, without a cache. */
export type KeyReader = {
  read(authorization: string | undefined): Promise<KeyActor | null>
}

/** A personal key that makes a call. It acts as the person, with a member's rights, within its scopes. */
export type PersonKeyActor = { id: string; scopes: readonly PersonKeyScope[]; actor: Actor }

/** Finds the working personal key in a request's `Authorization` header. Implemented by the accounts feature, without a cache. */
export type PersonKeyReader = {
  read(authorization: string | undefined): Promise<PersonKeyActor | null>
}

const rank: Record<Role, number> = { member: 0, moderator: 1, admin: 2 }

export const hasRole = (actor: Pick<Actor, 'role'>, role: Role): boolean => rank[actor.role] >= rank[role]

/** In whole years. Null if signed out or without a birthday. */
export const ageOf = (actor: Pick<Actor, 'birthday'> | null, now: Date): number | null =>
  actor?.birthday ? ageOn(actor.birthday, utcDate(now)) : null

type Gate = Pick<Endpoint, 'access'> & Partial<Pick<Endpoint, 'words' | 'whileSuspended' | 'beforeSecondFactor' | 'whileLeaving'>>

/**
 * The access check of every call that doesn't take a key. Denies by default: unknown access levels are refused.
 * @throws AppError signed_out, second_factor_required, account_leaving, suspended, birthday_required, muted, forbidden
 */
export function requireAccess(
  { access, words, whileSuspended = false, beforeSecondFactor = false, whileLeaving = false }: Gate,
  actor: Actor | null,
): void {
  if (access === 'public') return
  if (!actor) throw new AppError('signed_out')
  if (actor.owesSecondFactor && !beforeSecondFactor) throw secondFactorError()
  // An account pending deletion must still be able to confirm its second factor.
  if (actor.leavesAt !== null && !whileLeaving && !actor.owesSecondFactor) throw leavingError(actor.leavesAt)
  if (actor.suspendedUntil !== null && !whileSuspended) throw suspendedError(actor.suspendedUntil)
  if (words === 'published') requireNotMuted(actor)
  if (access === 'account') return
  if (actor.birthday === null) throw new AppError('birthday_required')
  if (access === 'member') return
  if (access === 'moderator' || access === 'admin') {
    if (hasRole(actor, access)) return
    if (rank[actor.grantedRole] >= rank[access]) throw new AppError('second_factor_required')
  }
  throw new AppError('forbidden')
}

/**
 * The access check of every call for keys, and the only one that accepts a key: `requireAccess` never sees keys.
 * @throws AppError signed_out, forbidden, muted
 */
export function requireKey({ access, scope, words }: Pick<Endpoint, 'access' | 'scope' | 'words'>, key: KeyActor | null): KeyActor {
  if (!key) {
    throw new AppError('signed_out', {
      message: 'Send a working API key as “Authorization: Bearer …”. Create one in the dashboard: Menu, Connections.',
    })
  }
  if (access !== 'key' || scope === undefined || !key.scopes.includes(scope)) {
    throw new AppError('forbidden', { message: `This key doesn’t have the scope ${scope ?? 'for this call'}. Create one that has it.` })
  }
  if (words === 'published') requireNotMuted(key)
  return key
}

/**
 * The access check of every call for personal keys: the rules for the person, then the key's scope. Text is checked where it is written.
 * @throws AppError signed_out, account_leaving, suspended, birthday_required, forbidden
 */
export function requirePersonKey(scope: PersonKeyScope, key: PersonKeyActor | null): Actor {
  if (!key) {
    throw new AppError('signed_out', {
      message: 'Send a working key as “Authorization: Bearer …”. Create one in Settings: Sign-in and security, API keys.',
    })
  }
  requireAccess({ access: 'member' }, key.actor)
  if (!key.scopes.includes(scope)) {
    throw new AppError('forbidden', { message: `This key doesn’t have the scope ${scope}. Create one that has it.` })
  }
  return key.actor
}

/**
 * Required for publishing. Runs before calls whose words are `published`; `mixed` calls run it when they publish.
 * @throws AppError muted
 */
export function requireNotMuted({ mutedUntil }: Pick<Actor, 'mutedUntil'>): void {
  if (mutedUntil !== null) throw mutedError(mutedUntil)
}

const secondFactorError = () =>
  new AppError('second_factor_required', { message: 'This account has a second factor. First enter the code from your authenticator app.' })

/** A time as people read it, in UTC. */
const until = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const leavingError = (end: Date) =>
  new AppError('account_leaving', {
    message: `This account will be deleted on ${utcDate(end)}. Keep it to continue.`,
  })

const suspendedError = (end: Date | 'forever') =>
  new AppError('suspended', {
    message:
      end === 'forever'
        ? 'This account is banned. You can see why and appeal.'
        : `This account is suspended until ${until(end)}. You can see why and appeal.`,
  })

const mutedError = (end: Date) =>
  new AppError('muted', { message: `Until ${until(end)}, you can read but not write here. You can see why and appeal.` })
