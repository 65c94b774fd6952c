import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { AppError } from '#server/kernel/errors.ts'
import type { Jobs } from '#server/kernel/jobs.ts'
import { openIdProvider } from './accounts.queries.ts'
import { type AuthParts, authBasePath, type BetterAuth, createBetterAuth } from './better-auth.ts'

export type Redirect = { location: string; cookies: string[] }

export type OpenId = {
  /**
   * The URL at which to sign in with the provider.
   * @param returnTo the page of this site to return to, already validated
   * @throws AppError unavailable if the provider can't be reached
   */
  begin(returnTo: string): Promise<Redirect>
  /**
   * The URL at which a signed-in browser connects a provider account. The caller must check who comes back; see
   * `navigations.ts`.
   * @throws AppError unavailable if the provider can't be reached
   */
  beginConnecting(cookie: string | undefined): Promise<Redirect>
  /** Handles the provider's callback: signs the browser in, or redirects to the auth page with an `error`. */
  finish(url: string, headers: { cookie: string | undefined; userAgent: string | undefined }): Promise<Redirect>
}

/** Register this path (after `PUBLIC_URL`) with the provider as the redirect URI. */
export const openIdCallbackPath = `${authBasePath}/callback/${openIdProvider}`

const maxName = 80
const timeLimitMs = 10_000

/** Signing in with the operator's OpenID provider, using better-auth's flow (state, PKCE, nonce, verified ID token). */
export function createOpenId(parts: AuthParts, jobs: Jobs): OpenId | null {
  const { config } = parts
  const { oidc } = config
  if (!oidc) return null
  const isVerificationRequired = config.emailVerification === 'required'

  const connect = () =>
    createBetterAuth(parts, {
      // Connecting requires re-authentication here, so the provider's address may differ.
      account: { accountLinking: { allowDifferentEmails: true } },
      onAPIError: { errorURL: `${config.publicUrl}/auth` },
      emailVerification: {
        sendOnSignIn: isVerificationRequired,
        sendOnSignUp: isVerificationRequired,
        sendVerificationEmail: ({ user }) => jobs.enqueue('accounts.mail-verification-link', { email: user.email }),
      },
      plugins: [
        genericOAuth({
          config: [
            {
              providerId: openIdProvider,
              name: oidc.name,
              clientId: oidc.clientId,
              clientSecret: oidc.clientSecret,
              discoveryUrl: `${oidc.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
              scopes: ['openid', 'profile', 'email'],
              pkce: true,
              requireIdTokenVerification: true,
              requireEmailVerification: isVerificationRequired,
              mapProfileToUser: (profile) => ({ firstName: nameOf(profile.given_name), lastName: nameOf(profile.family_name) }),
            },
          ],
        }),
      ],
    })

  const away = () =>
    new AppError('unavailable', {
      message: `We can't reach ${oidc.name} right now. Try again in a moment.`,
      retryAfterSeconds: 10,
    })

  // The provider's metadata is fetched on first use and retried until it succeeds, so that a provider that is down at
  // startup is picked up later.
  let connection: Promise<BetterAuth> | undefined
  const connected = async (): Promise<BetterAuth> => {
    connection ??= connect()
    const auth = await connection
    const { socialProviders } = await auth.$context
    if (socialProviders.length > 0) return auth
    connection = undefined
    throw away()
  }

  /** better-auth's flow would wait for the provider for as long as the connection stays open. */
  const inTime = async <Answer>(ask: (auth: BetterAuth) => Promise<Answer>): Promise<Answer> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        connection = undefined
        reject(away())
      }, timeLimitMs)
    })
    return Promise.race([connected().then(ask), late]).finally(() => clearTimeout(timer))
  }

  return {
    begin: (returnTo) =>
      inTime(async (auth) => {
        const body = { provider: openIdProvider, callbackURL: returnTo, errorCallbackURL: `/auth?${new URLSearchParams({ returnTo })}` }
        const { headers, response } = await auth.api.signInSocial({ body, headers: new Headers(), returnHeaders: true })
        return { location: response.url as string, cookies: headers.getSetCookie() }
      }),
    beginConnecting: (cookie) =>
      inTime(async (auth) => {
        const body = { provider: openIdProvider, callbackURL: '/settings', errorCallbackURL: '/settings' }
        const call = { body, headers: new Headers(cookie ? { cookie } : {}), returnHeaders: true } as const
        const { headers, response } = await auth.api.linkSocialAccount(call)
        return { location: response.url, cookies: headers.getSetCookie() }
      }),
    finish: (url, { cookie, userAgent }) =>
      inTime(async (auth) => {
        const { search } = new URL(url, config.publicUrl)
        const headers = { ...(cookie ? { cookie } : {}), ...(userAgent ? { 'user-agent': userAgent } : {}) }
        const response = await auth.handler(new Request(`${config.publicUrl}${openIdCallbackPath}${search}`, { headers }))
        const location = response.headers.get('location') ?? '/auth?error=openid_failed'
        return { location, cookies: response.headers.getSetCookie() }
      }),
  }
}

const nameOf = (claim: unknown) => (typeof claim === 'string' && claim.trim() ? claim.trim().slice(0, maxName) : null)
