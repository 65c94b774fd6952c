import { hashPassword as hash, verifyPassword } from 'better-auth/crypto'
import type { Clock } from '#server/kernel/clock.ts'
import type { Jobs } from '#server/kernel/jobs.ts'
import { type AuthParts, createBetterAuth, shortUserAgent } from './better-auth.ts'
import { createOpenId, type OpenId } from './openid.ts'
import { createSessionCookie, type SessionCookie, sessionLifetimeMs } from './session-token.ts'

/** The sign-in services that the feature's writes need besides the context. */
export type Auth = {
  cookie: SessionCookie
  hashPassword(password: string): Promise<string>
  /** Without a hash, takes the same time and returns false, so that timing does not reveal whether an account exists. */
  verifyPassword(password: string, hash: string | null): Promise<boolean>
  startSession(userId: string, userAgent: string | undefined): Promise<{ id: string; cookie: string }>
  /** Null when no OpenID provider is configured. */
  openId: OpenId | null
}

/** A well-formed hash that matches no password, compared against when there is no account. */
const placeholderHash = `${'0'.repeat(32)}:${'0'.repeat(128)}`

type Needs = AuthParts & { clock: Clock; jobs: Jobs } & Partial<Pick<Auth, 'hashPassword'>>

export function createAuth({ clock, jobs, hashPassword = hash, ...parts }: Needs): Auth {
  const cookie = createSessionCookie(parts.config, parts.brand)
  const betterAuth = createBetterAuth(parts)
  // Callers see the rejection when they await it; this prevents an unhandled rejection from ending the process.
  betterAuth.catch(() => {})
  return {
    cookie,
    hashPassword,
    verifyPassword: (password, storedHash) => verifyPassword({ password, hash: storedHash ?? placeholderHash }),
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
