import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '#contracts/addresses.ts'
import { hourMs } from '#contracts/time.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { requireOwnOrigin } from '#server/kernel/own-origin.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import { findKey, workingKey } from './keys.queries.ts'
import { hashOfKey, isKey, tokenPrefix } from './write-keys.ts'

const path = '/api/oauth/token'

/** Routes under /api that no contract declares: contracts describe JSON, and OAuth requires a form. */
export const keyRoutes: readonly string[] = [`POST ${path}`]

const lifetimeMs = hourMs
const maxBytes = 4096

/** OAuth 2.0 client credentials (RFC 6749, 4.4): the client's ID is the key's ID, its secret is the key. */
export function addOAuthToken({ app, ctx }: Api): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    scope.addHook('onRequest', async (request) => {
      requireOwnOrigin(request, ctx.config)
      await admit(ctx, request, 'write')
    })
    scope.post(path, async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      if (form.get('grant_type') !== 'client_credentials') return refuse(reply, 'unsupported_grant_type')
      const { id, secret } = clientOf(request, form)
      const key = isUuid(id) && isKey(secret) ? await findKey(ctx, hashOfKey(secret)) : null
      if (key?.id !== id) return refuse(reply, 'invalid_client')
      const asked = (form.get('scope') ?? '').split(' ').filter(Boolean)
      const scopes = asked.length === 0 ? key.scopes : key.scopes.filter((each) => asked.includes(each))
      if (scopes.length === 0 || asked.some((each) => !scopes.some((scope) => scope === each))) return refuse(reply, 'invalid_scope')
      const token = await issueToken(ctx, key.id, scopes)
      if (!token) return refuse(reply, 'invalid_client')
      return answer(reply, 200, { access_token: token, token_type: 'Bearer', expires_in: lifetimeMs / 1000, scope: scopes.join(' ') })
    })
  })
}

const answer = (reply: FastifyReply, status: number, body: object) => reply.status(status).header('cache-control', 'no-store').send(body)

const words = {
  unsupported_grant_type: 'Send grant_type=client_credentials.',
  invalid_client: 'Send the ID of a working key as client_id and the key as client_secret.',
  invalid_scope: "The key doesn't have this scope.",
} as const

function refuse(reply: FastifyReply, error: keyof typeof words): FastifyReply {
  if (error === 'invalid_client') reply.header('www-authenticate', 'Basic realm="API"')
  return answer(reply, error === 'invalid_client' ? 401 : 400, { error, error_description: words[error] })
}

/** Reads the credentials from the Authorization header (Basic) or the form. */
function clientOf(request: FastifyRequest, form: URLSearchParams): { id: string; secret: string } {
  const [, basic] = /^Basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (basic === undefined) return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return { id, secret }
}

/** Also deletes the key's expired tokens. Null if the key was revoked in the meantime. */
async function issueToken({ db, clock }: Pick<Context, 'db' | 'clock'>, keyId: string, scopes: readonly string[]): Promise<string | null> {
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    if (!(await workingKey(tx, keyId, now))) return null
    await tx.deleteFrom('business_key_tokens').where('key_id', '=', keyId).where('expires_at', '<=', now).execute()
    const expires_at = new Date(now.getTime() + lifetimeMs)
    await tx
      .insertInto('business_key_tokens')
      .values({ token_hash: hashOfKey(token), key_id: keyId, scopes: [...scopes], expires_at })
      .execute()
    return token
  })
}
