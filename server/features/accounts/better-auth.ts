import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { getAdapter } from 'better-auth/db/adapter'
import { betterAuth } from 'better-auth/minimal'
import type { Brand } from '#contracts/brand.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Logger } from '#server/log.ts'
import { cookiePrefix, hashSessionToken, sessionCookieName, sessionLifetimeMs, sessionRenewalMs } from './session-token.ts'

export type AuthParts = { db: Db; config: Config; brand: Brand; log: Logger }

type Extras = Pick<BetterAuthOptions, 'account' | 'emailVerification' | 'onAPIError'> & { plugins?: BetterAuthPlugin[] }

export const authBasePath = '/api/auth'

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

const maxUserAgent = 300
export const shortUserAgent = (userAgent: string | null | undefined): string | null => userAgent?.slice(0, maxUserAgent) || null

/**
 * better-auth on our tables. Its own routes are not registered; the feature's calls use its API, and only the OpenID
 * callback is passed through (see `openid.ts`).
 */
export async function createBetterAuth({ db, config, brand, log }: AuthParts, extras: Extras = {}) {
  const prefix = cookiePrefix(config.publicUrl)
  const options = {
    ...extras,
    appName: brand.name,
    baseURL: config.publicUrl,
    basePath: authBasePath,
    secret: config.sessionSecret,
    telemetry: { enabled: false },
    // Our own rate limits apply before a request gets here.
    rateLimit: { enabled: false },
    logger: {
      level: 'warn' as const,
      // Log only the message and the error; other details may contain addresses and tokens.
      log: (level: 'debug' | 'info' | 'success' | 'warn' | 'error', message: string, ...details: unknown[]) => {
        const err = details.find((detail) => detail instanceof Error)
        log[level === 'error' ? 'error' : 'warn']({ ...(err ? { err } : {}), from: 'better-auth' }, message)
      },
    },
    advanced: {
      cookiePrefix: `${prefix}${brand.slug}`,
      cookies: { session_token: { name: `${prefix}${sessionCookieName(brand)}` } },
      // `true` would add a second prefix to ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: prefix !== '' },
      // We don't store IP addresses.
      ipAddress: { disableIpTracking: true },
      database: { generateId: newId, joins: true, validateSchema: false },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', ...times },
      additionalFields: {
        firstName: { type: 'string' as const, required: false, fieldName: 'first_name' },
        lastName: { type: 'string' as const, required: false, fieldName: 'last_name' },
      },
    },
    session: {
      modelName: 'sessions',
      fields: { userId: 'user_id', expiresAt: 'expires_at', ipAddress: 'ip_address', userAgent: 'user_agent', ...times },
      expiresIn: sessionLifetimeMs / 1000,
      updateAge: sessionRenewalMs / 1000,
    },
    account: {
      ...extras.account,
      modelName: 'credentials',
      fields: {
        userId: 'user_id',
        providerId: 'provider_id',
        accountId: 'account_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
      updateAccountOnSignIn: false,
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', ...times },
      storeIdentifier: 'hashed' as const,
      // Cleanup is a job; see accounts.jobs.ts.
      disableCleanup: true,
    },
    databaseHooks: {
      // A picture hosted by the provider would reveal to it who views the profile.
      user: { create: { before: async () => ({ data: { image: null } }) } },
      // We never call the provider on a user's behalf, so we don't store its tokens.
      account: { create: { before: async () => ({ data: { accessToken: null, refreshToken: null, idToken: null } }) } },
      session: {
        create: {
          before: async (session: { userAgent?: string | null | undefined }) => ({
            data: { ipAddress: null, userAgent: shortUserAgent(session.userAgent) },
          }),
        },
      },
    },
  } satisfies BetterAuthOptions
  const adapter = await getAdapter({ ...options, database: { db, type: 'postgres', transaction: true } })
  return betterAuth({ ...options, database: () => withHashedSessionTokens(adapter) })
}

export type BetterAuth = Awaited<ReturnType<typeof createBetterAuth>>

type Row = { token?: unknown }
type Creation<T> = { model: string; data: Omit<T, 'id'>; select?: string[] | undefined; forceAllowId?: boolean | undefined }

const isSession = (model: string) => model === 'session' || model === 'sessions'

/**
 * better-auth's database adapter, except that it stores and looks up the SHA-256 of a session's token. better-auth itself
 * still sees the plain token, so only the cookie contains it.
 */
function withHashedSessionTokens(adapter: DBAdapter): DBAdapter {
  return { ...adapter, ...hashing(adapter), transaction: (run) => adapter.transaction((tx) => run({ ...tx, ...hashing(tx) })) }
}

function hashing(inner: DBTransactionAdapter): Partial<DBTransactionAdapter> {
  return {
    async create<T extends Record<string, unknown>, R = T>(call: Creation<T>) {
      if (!isSession(call.model)) return inner.create<T, R>(call)
      const created = await inner.create<T, R>({ ...call, data: hashToken(call.data) })
      return { ...created, token: (call.data as Row).token }
    },
    async findOne<T>(call: Parameters<DBAdapter['findOne']>[0]) {
      if (!isSession(call.model)) return inner.findOne<T>(call)
      const found = await inner.findOne<T>({ ...call, where: hashTokens(call.where) })
      return found && restoreToken(found, call.where)
    },
    async findMany<T>(call: Parameters<DBAdapter['findMany']>[0]) {
      if (!isSession(call.model)) return inner.findMany<T>(call)
      const found = await inner.findMany<T>({ ...call, where: hashTokens(call.where) })
      return found.map((row) => restoreToken(row, call.where))
    },
    async update<T>(call: Parameters<DBAdapter['update']>[0]) {
      if (!isSession(call.model)) return inner.update<T>(call)
      const updated = await inner.update<T>({ ...call, where: hashTokens(call.where), update: hashToken(call.update) })
      return updated && restoreToken(updated, call.where)
    },
    updateMany: (call) =>
      inner.updateMany(isSession(call.model) ? { ...call, where: hashTokens(call.where), update: hashToken(call.update) } : call),
    delete: (call) => inner.delete(isSession(call.model) ? { ...call, where: hashTokens(call.where) } : call),
    deleteMany: (call) => inner.deleteMany(isSession(call.model) ? { ...call, where: hashTokens(call.where) } : call),
    count: (call) => inner.count(isSession(call.model) ? { ...call, where: hashTokens(call.where) } : call),
  }
}

const hash = (value: unknown) => (typeof value === 'string' ? hashSessionToken(value) : value)

const hashToken = <Data extends object>(data: Data): Data => ('token' in data ? { ...data, token: hash(data.token) } : data)

function hashTokens<W extends Where[] | undefined>(where: W): W {
  return where?.map((clause) => {
    if (clause.field !== 'token') return clause
    return { ...clause, value: Array.isArray(clause.value) ? clause.value.map(hash) : hash(clause.value) } as Where
  }) as W
}

/** Puts the plain token back if the caller's query contained it. */
function restoreToken<T>(row: T, where: Where[] | undefined): T {
  const known = where?.filter((clause) => clause.field === 'token').flatMap((clause) => clause.value as string | string[]) ?? []
  const token = known.find((each) => hashSessionToken(each) === (row as Row).token)
  return token === undefined ? row : { ...row, token }
}
