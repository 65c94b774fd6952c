import type { CurrentUser } from '../../contracts/accounts.ts'
import type { Actor } from './actor.ts'

export type Session = {
  actor: Actor
  user: CurrentUser
  /** A `Set-Cookie` value to answer with: the session was just extended, and the browser's cookie must live as long. */
  renewedCookie: string | null
}

/** Finds the session of a request's `Cookie` header. Null: signed out. Implemented by the accounts feature. */
export type SessionReader = {
  /**
   * A session that owes its second factor is one of nobody: only who asks with `evenOwing` gets it, and must refuse what it may not do
   * (`requireAccess` does).
   */
  read(cookieHeader: string | undefined, options?: { evenOwing?: boolean }): Promise<Session | null>
}
