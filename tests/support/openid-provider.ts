import { createHash, createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

export type Claims = {
  sub: string
  email: string
  email_verified: boolean
  name?: string
  given_name?: string
  family_name?: string
  picture?: string
}

export type OpenIdProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The person signed in at the provider, as the next ID token's claims. */
  person: Claims
  /** Changes the next ID tokens, as an attacker or a broken provider would. */
  tamper: (claims: Record<string, unknown>) => Record<string, unknown>
  /** How the next ID tokens are signed; `absent` sends none. */
  signature: 'right' | 'none' | 'client-secret' | 'another-key' | 'absent'
  /** While true, the token endpoint accepts requests but never responds. */
  isSilent: boolean
  close(): Promise<void>
}

type Grant = { challenge: string; nonce: string | undefined; redirectUri: string }

/** The parts of an OpenID provider that a client uses: discovery, authorization, tokens with PKCE, keys and user info. */
export async function startOpenIdProvider({ port = 0 } = {}): Promise<OpenIdProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const anotherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const grants = new Map<string, Grant>()
  const app = Fastify({ forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
  const provider: OpenIdProvider = {
    issuer: '',
    clientId: 'sungrove',
    clientSecret: 'a client secret',
    person: { sub: 'provider-1', email: 'ann@provider.example', email_verified: true },
    tamper: (claims) => claims,
    signature: 'right',
    isSilent: false,
    close: () => app.close(),
  }

  app.get('/.well-known/openid-configuration', async () => ({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/authorize`,
    token_endpoint: `${provider.issuer}/token`,
    userinfo_endpoint: `${provider.issuer}/userinfo`,
    jwks_uri: `${provider.issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }))
  app.get('/jwks', async () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }))
  app.get('/userinfo', async () => provider.person)

  app.get('/authorize', async (request, reply) => {
    const query = request.query as Record<string, string>
    if (query.client_id !== provider.clientId || query.code_challenge_method !== 'S256') return reply.status(400).send('bad client')
    const code = randomUUID()
    grants.set(code, { challenge: query.code_challenge ?? '', nonce: query.nonce, redirectUri: query.redirect_uri ?? '' })
    return reply.redirect(`${query.redirect_uri}?${new URLSearchParams({ code, state: query.state ?? '' })}`)
  })

  app.post('/token', async (request, reply) => {
    if (provider.isSilent) return new Promise(() => {})
    const body = request.body as Record<string, string>
    const grant = grants.get(body.code ?? '')
    grants.delete(body.code ?? '')
    const [basicId, basicSecret] = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')
    const isClient =
      (body.client_secret ?? (basicSecret && decodeURIComponent(basicSecret))) === provider.clientSecret &&
      (body.client_id ?? basicId) === provider.clientId
    const challenge = createHash('sha256')
      .update(body.code_verifier ?? '')
      .digest('base64url')
    if (!grant || !isClient || grant.challenge !== challenge || grant.redirectUri !== body.redirect_uri) {
      return reply.status(400).send({ error: 'invalid_grant' })
    }
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: provider.issuer, aud: provider.clientId, iat: now, exp: now + 300, nonce: grant.nonce, ...provider.person }
    const idToken = provider.signature === 'absent' ? {} : { id_token: sign(provider.tamper(claims)) }
    return { access_token: 'an access token', token_type: 'Bearer', expires_in: 300, ...idToken }
  })

  const sign = (claims: object) => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const signed = (alg: string, signatureOf: (text: string) => string) => {
      const text = `${encode({ alg, kid: 'one', typ: 'JWT' })}.${encode(claims)}`
      return `${text}.${signatureOf(text)}`
    }
    if (provider.signature === 'none') return signed('none', () => '')
    if (provider.signature === 'client-secret') {
      return signed('HS256', (text) => createHmac('sha256', provider.clientSecret).update(text).digest('base64url'))
    }
    const key = provider.signature === 'another-key' ? anotherKey : privateKey
    return signed('RS256', (text) => createSign('RSA-SHA256').update(text).sign(key, 'base64url'))
  }

  await app.listen({ port, host: '127.0.0.1' })
  provider.issuer = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return provider
}
