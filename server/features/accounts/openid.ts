import type { Configuration } from 'openid-client'
import type { Config } from '#server/config.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Logger } from '#server/log.ts'

/**
 * Random values of one sign-in. The callback's URL must contain the state, and the ID token the nonce; redeeming the code requires the
 * verifier.
 */
export type Checks = { state: string; nonce: string; codeVerifier: string }

export type OpenIdIdentity = { issuer: string; subject: string }

/** From the provider's verified ID token, or from its user info if the token has no email. */
export type OpenIdProfile = OpenIdIdentity & {
  /** In lowercase. */
  email: string
  isEmailVerified: boolean
  name: string
  firstName: string | null
  lastName: string | null
}

export type OpenId = {
  /** @throws AppError unavailable if the provider can't be reached */
  begin(): Promise<{ location: string; checks: Checks }>
  /**
   * Exchanges the code in the callback's URL for the person's profile.
   * @throws OpenIdRefused
   */
  finish(url: string, checks: Checks): Promise<OpenIdProfile>
}

/** Signing in or connecting an account failed; the page that the person returns to explains `code`. */
export class OpenIdRefused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Register this path (after `PUBLIC_URL`) with the provider as the redirect URI. */
export const openIdCallbackPath = '/api/auth/callback/openid'

const maxName = 80
const timeLimitMs = 10_000

/** openid-client is loaded at the first sign-in, because most sites have no provider. */
type Connection = { client: typeof import('openid-client'); provider: Configuration }

type Provider = NonNullable<Config['oidc']>

/** openid-client checks the state, the issuer, and the ID token with its nonce. The provider checks PKCE. */
export function createOpenId({ config, log }: { config: Pick<Config, 'oidc' | 'publicUrl'>; log: Logger }): OpenId | null {
  const { oidc } = config
  if (!oidc) return null
  const redirectUri = config.publicUrl + openIdCallbackPath

  const unavailable = () =>
    new AppError('unavailable', {
      message: `We can’t reach ${oidc.name} right now. Try again in a moment.`,
      retryAfterSeconds: 10,
    })

  // The provider's metadata is fetched on first use. If that fails, the next use fetches it again, so a provider that is down at startup
  // works later.
  let connection: Promise<Connection> | undefined
  const connected = (): Promise<Connection> => {
    connection ??= discover(oidc).catch((error) => {
      connection = undefined
      logFailure(log, error, 'the OpenID provider sent no usable configuration')
      throw unavailable()
    })
    return connection
  }

  /** One time limit covers all requests in a step. */
  const inTime = async <Answer>(ask: (connection: Connection) => Promise<Answer>): Promise<Answer> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        connection = undefined
        reject(unavailable())
      }, timeLimitMs)
    })
    return Promise.race([connected().then(ask), late]).finally(() => clearTimeout(timer))
  }

  return {
    begin: () =>
      inTime(async ({ client, provider }) => {
        const checks = { state: client.randomState(), nonce: client.randomNonce(), codeVerifier: client.randomPKCECodeVerifier() }
        const location = client.buildAuthorizationUrl(provider, {
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
          code_challenge_method: 'S256',
        })
        return { location: location.href, checks }
      }),
    async finish(url, checks) {
      const { search } = new URL(url, config.publicUrl)
      try {
        return await inTime((connection) => fetchProfile(connection, new URL(redirectUri + search), checks, oidc.issuer))
      } catch (error) {
        if (error instanceof OpenIdRefused) throw error
        if (error instanceof AppError) throw new OpenIdRefused('openid_unavailable')
        logFailure(log, error, 'a sign-in with the OpenID provider failed')
        throw new OpenIdRefused('openid_failed')
      }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: Provider): Promise<Connection> {
  const client = await import('openid-client')
  // Pass the full address, because the provider's own issuer may end with a slash, which ours doesn't. The document at the address states
  // the issuer that ID tokens must have.
  const address = new URL(`${issuer}/.well-known/openid-configuration`)
  const provider = await client.discovery(address, clientId, clientSecret, client.ClientSecretPost(clientSecret), {
    timeout: timeLimitMs / 1000,
    // By default, the library relies on TLS and doesn't check the ID token's signature.
    execute: [client.enableNonRepudiationChecks, ...(address.protocol === 'http:' ? [client.allowInsecureRequests] : [])],
  })
  const { authorization_endpoint, token_endpoint, jwks_uri } = provider.serverMetadata()
  if (!authorization_endpoint || !token_endpoint || !jwks_uri) throw new Error('an endpoint is missing')
  return { client, provider }
}

async function fetchProfile({ client, provider }: Connection, callback: URL, checks: Checks, issuer: string): Promise<OpenIdProfile> {
  const tokens = await client
    .authorizationCodeGrant(provider, callback, {
      pkceCodeVerifier: checks.codeVerifier,
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      idTokenExpected: true,
    })
    .catch((error) => {
      if (error instanceof client.AuthorizationResponseError) throw new OpenIdRefused(error.error)
      throw error
    })
  const claims = tokens.claims()
  if (!claims) throw new Error('the ID token is missing')
  const profile = claims.email ? claims : await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
  if (typeof profile.email !== 'string' || profile.email === '') throw new OpenIdRefused('email_not_found')
  return {
    issuer,
    subject: claims.sub,
    email: profile.email.toLowerCase(),
    isEmailVerified: profile.email_verified === true || String(profile.email_verified) === 'true',
    name: nameOf(profile.name) ?? '',
    firstName: nameOf(profile.given_name),
    lastName: nameOf(profile.family_name),
  }
}

const nameOf = (claim: unknown) => (typeof claim === 'string' && claim.trim() ? claim.trim().slice(0, maxName) : null)

/** Logs only these fields, because the library's errors contain claims and tokens. */
function logFailure(log: Logger, error: unknown, message: string): void {
  const { code, message: reason } = error as Error & { code?: string }
  log.warn({ code, reason }, message)
}
