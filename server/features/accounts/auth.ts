import type { Brand } from '#contracts/brand.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Logger } from '#server/log.ts'
import { insertSession } from './accounts.queries.ts'
import { newSecret } from './one-use-secrets.ts'
import { createOpenId, type OpenId } from './openid.ts'
import { hashPassword as hash, verifyPassword } from './password-hash.ts'
import { createSessionCookie, hashSessionToken, type SessionCookie, sessionLifetimeMs } from './session-token.ts'

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

const maxUserAgent = 300

type Needs = { db: Db; config: Config; brand: Brand; log: Logger; clock: Clock } & Partial<Pick<Auth, 'hashPassword'>>

export function createAuth({ db, config, brand, log, clock, hashPassword = hash }: Needs): Auth {
  const cookie = createSessionCookie(config, brand)
  return {
    cookie,
    hashPassword,
    verifyPassword: (password, storedHash) => verifyPassword(password, storedHash ?? placeholderHash),
    async startSession(userId, userAgent) {
      const now = clock.now()
      const token = newSecret()
      const id = await insertSession(db, {
        user_id: userId,
        token: hashSessionToken(token),
        expires_at: new Date(now.getTime() + sessionLifetimeMs),
        user_agent: userAgent?.slice(0, maxUserAgent) || null,
        created_at: now,
        updated_at: now,
      })
      return { id, cookie: cookie.set(token) }
    },
    openId: createOpenId({ config, log }),
  }
}
