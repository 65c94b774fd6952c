import type { CurrentUser } from '#contracts/accounts.ts'
import type { Actor } from './actor.ts'

export type Session = {
  actor: Actor
  user: CurrentUser
  /** A `Set-Cookie` value to send: the session was just renewed, and the cookie must last as long. */
  renewedCookie: string | null
}

/** Finds the session of a request's `Cookie` header; null if signed out. Implemented by the accounts feature. */
export type SessionReader = {
  /**
   * A session that must still show its second factor counts as signed out. Callers with `evenOwing` get it anyway and must refuse what
   * it may not do (as `requireAccess` does).
   */
  read(cookieHeader: string | undefined, options?: { evenOwing?: boolean }): Promise<Session | null>
}
