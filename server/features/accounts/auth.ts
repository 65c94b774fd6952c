import { hashPassword as hash, verifyPassword } from 'better-auth/crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Jobs } from '../../kernel/jobs.ts'
import { type AuthParts, createBetterAuth, shortUserAgent } from './better-auth.ts'
import { createOpenId, type OpenId } from './openid.ts'
import { createSessionCookie, type SessionCookie, sessionLifetimeMs } from './session-token.ts'

/** What the feature's writes need of signing in; passed to them beside the context. */
export type Auth = {
  cookie: SessionCookie
  hashPassword(password: string): Promise<string>
  /** Without a hash it takes as long and answers false, so that the time does not tell whether an account exists. */
  verifyPassword(password: string, hash: string | null): Promise<boolean>
  /** Begins a session; `cookie` is the `Set-Cookie` value that carries it. */
  startSession(userId: string, userAgent: string | undefined): Promise<{ id: string; cookie: string }>
  /** Null when no OpenID provider is configured. */
  openId: OpenId | null
}

/** A hash of the right form that no password has: what is compared where there is no account. */
const nobodysHash = `${'0'.repeat(32)}:${'0'.repeat(128)}`

type Needs = AuthParts & { clock: Clock; jobs: Jobs } & Partial<Pick<Auth, 'hashPassword'>>

export function createAuth({ clock, jobs, hashPassword = hash, ...parts }: Needs): Auth {
  const cookie = createSessionCookie(parts.config, parts.brand)
  const betterAuth = createBetterAuth(parts)
  // Whoever asks first gets the error; nobody asking must not end the process.
  betterAuth.catch(() => {})
  return {
    cookie,
    hashPassword,
    verifyPassword: (password, kept) => verifyPassword({ password, hash: kept ?? nobodysHash }),
    async startSession(userId, userAgent) {
      const { internalAdapter } = await (await betterAuth).$context
      const now = clock.now()
      const times = { createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + sessionLifetimeMs) }
      const session = await internalAdapter.createSession(userId, false, { ...times, userAgent: shortUserAgent(userAgent) }, true)
      return { id: session.id, cookie: cookie.set(session.token) }
    },
    openId: createOpenId(parts, jobs),
  }
}
