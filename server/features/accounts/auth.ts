import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Brand } from '#contracts/brand.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Clock, Context } from '#server/kernel/context.ts'
import { newSecret } from '#server/kernel/secrets.ts'
import type { Logger } from '#server/log.ts'
import { insertSession } from './accounts.queries.ts'
import { createOpenId, type OpenId } from './openid.ts'
import { createSessionCookie, hashSessionToken, type SessionCookie, sessionLifetimeMs } from './session-token.ts'

export type Auth = {
  cookie: SessionCookie
  hashPassword(password: string): Promise<string>
  /** If `hash` is null, takes just as long and returns false, so that timing doesn't reveal whether an account exists. */
  verifyPassword(password: string, hash: string | null): Promise<boolean>
  startSession(userId: string, userAgent: string | undefined): Promise<{ id: string; cookie: string }>
  openId: OpenId | null
}

/** Access that a person gave to programs, other than by personal API keys. Features with such access provide this; the app collects it. */
export type ProgramAccess = {
  /** Ends the access that the person created since then. */
  endSince(tx: Tx, by: { userId: string; since: Date }, now: Date): Promise<void>
  /** The names of keys that still work. They appear in an email, so they must not reveal what the site is about. */
  workingNames?(db: Db, ctx: Pick<Context, 'clock' | 'config'>, userId: string): Promise<string[]>
}

/** Well-formed, but matches no password. */
const placeholderHash = `${'0'.repeat(32)}:${'0'.repeat(128)}`

const maxUserAgent = 300

type Needs = { db: Db; config: Config; brand: Brand; log: Logger; clock: Clock } & Partial<Pick<Auth, 'hashPassword'>>

export function createAuth({ db, config, brand, log, clock, hashPassword: hash = hashPassword }: Needs): Auth {
  const cookie = createSessionCookie(config, brand)
  return {
    cookie,
    hashPassword: hash,
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

/**
 * Stored hashes don't record these parameters, so changing one would make every password fail. They need 32 MiB per hash; `maxmem` must be
 * above that.
 */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }
const keyBytes = 64
const saltBytes = 16

/** Runs in libuv's thread pool. The key is derived from the salt's hex text, not from its bytes. */
const keyOf = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** @returns `salt:key`, both in hex */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes).toString('hex')
  return `${salt}:${(await keyOf(password, salt)).toString('hex')}`
}

/** @throws Error if the hash is malformed */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [salt, key] = hash.split(':')
  const expected = Buffer.from(key ?? '', 'hex')
  if (!salt || expected.length !== keyBytes) throw new Error('a stored password hash is malformed')
  return timingSafeEqual(await keyOf(password, salt), expected)
}
