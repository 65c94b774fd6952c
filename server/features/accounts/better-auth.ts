import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { getAdapter } from 'better-auth/db/adapter'
import { betterAuth } from 'better-auth/minimal'
import type { Brand } from '../../../contracts/brand.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../kernel/ids.ts'
import type { Logger } from '../../log.ts'
import { withHashedSessionTokens } from './hashed-session-tokens.ts'
import { cookiePrefix, sessionCookieName, sessionLifetimeMs, sessionRenewalMs } from './session-token.ts'

export type AuthParts = { db: Db; config: Config; brand: Brand; log: Logger }

type Extras = Pick<BetterAuthOptions, 'account' | 'emailVerification' | 'onAPIError'> & { plugins?: BetterAuthPlugin[] }

export const authBasePath = '/api/auth'

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** A browser names itself in a line; nobody needs a longer one. */
const maxUserAgent = 300
export const shortUserAgent = (userAgent: string | null | undefined): string | null => userAgent?.slice(0, maxUserAgent) || null

/**
 * better-auth over our tables. Its own routes are not registered: the feature's calls use its parts, and the one
 * address that an OpenID provider leads back to is passed on (see `openid.ts`).
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
    // Ours counts before a request gets here.
    rateLimit: { enabled: false },
    logger: {
      level: 'warn' as const,
      // Only a message and an error: what else it passes may hold addresses and tokens.
      log: (level: 'debug' | 'info' | 'success' | 'warn' | 'error', message: string, ...details: unknown[]) => {
        const err = details.find((detail) => detail instanceof Error)
        log[level === 'error' ? 'error' : 'warn']({ ...(err ? { err } : {}), from: 'better-auth' }, message)
      },
    },
    advanced: {
      cookiePrefix: `${prefix}${brand.slug}`,
      cookies: { session_token: { name: `${prefix}${sessionCookieName(brand)}` } },
      // That would put another prefix before ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: prefix !== '' },
      // An address of a person is nothing that we keep.
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
      // Done by a job: see accounts.jobs.ts.
      disableCleanup: true,
    },
    databaseHooks: {
      // A picture that lies elsewhere would tell that place who looks at it here.
      user: { create: { before: async () => ({ data: { image: null } }) } },
      // We never call the provider on somebody's behalf, so its tokens are not kept.
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
