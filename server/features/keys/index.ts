import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '#contracts/addresses.ts'
import * as contract from '#contracts/keys.endpoints.ts'
import { hourMs } from '#contracts/time.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Auth } from '#server/features/accounts/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { KeyReader } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, toPage } from '#server/kernel/keyset.ts'
import { requireOwnOrigin } from '#server/kernel/own-origin.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { hashOfSecret, newSecret } from '#server/kernel/secrets.ts'
import { findKey, findKeyOfToken, keysPage, workingKey } from './keys.queries.ts'
import { createKey, isKey, isToken, revokeKey, tokenPrefix } from './write-keys.ts'

export { mayCreatorConnect, notifiedConnections, requireWorkingKey, workingKey } from './keys.queries.ts'

/** Reads the database for every call, so that a revoked key stops working immediately. Skips the query for text that can't be a key. */
export const createKeyReader = (ctx: Pick<Context, 'db' | 'clock' | 'config'>): KeyReader => ({
  async read(authorization) {
    const [, secret = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
    if (isToken(secret)) return findKeyOfToken(ctx, hashOfSecret(secret))
    return isKey(secret) ? findKey(ctx, hashOfSecret(secret)) : null
  },
})

export function registerKeys(api: Api, auth: Auth): void {
  route(api, contract.listKeys, async ({ ctx, actor, params, query }) => {
    const { id } = await requirePermission(ctx.db, actor, params.id, 'connections')
    const after = decodeCursor(query.cursor, ['time', 'id'])
    const keys = await keysPage(ctx.db, ctx, id, after, query.limit + 1)
    return toPage(keys, query.limit, (key) => [key.createdAt, key.id])
  })
  addOAuthToken(api)
  route(api, contract.createKey, ({ ctx, actor, params, body }) => createKey(ctx, auth, actor, params.id, body))
  route(api, contract.revokeKey, ({ ctx, actor, params }) => revokeKey(ctx, actor, params.id, params.keyId))
}

const path = '/api/oauth/token'

/** Routes under /api that no contract declares: contracts describe JSON, and OAuth requires a form. */
export const keyRoutes: readonly string[] = [`POST ${path}`]

const lifetimeMs = hourMs
const maxBytes = 4096

/** OAuth 2.0 client credentials (RFC 6749, 4.4): the client's ID is the key's ID, and its secret is the key. */
function addOAuthToken({ app, ctx }: Api): void {
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
      const key = isUuid(id) && isKey(secret) ? await findKey(ctx, hashOfSecret(secret)) : null
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
  invalid_scope: 'The key doesn’t have this scope.',
} as const

function refuse(reply: FastifyReply, error: keyof typeof words): FastifyReply {
  if (error === 'invalid_client') reply.header('www-authenticate', 'Basic realm="API"')
  return answer(reply, error === 'invalid_client' ? 401 : 400, { error, error_description: words[error] })
}

function clientOf(request: FastifyRequest, form: URLSearchParams): { id: string; secret: string } {
  const [, basic] = /^Basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (basic === undefined) return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return { id, secret }
}

/** Also deletes the key's expired tokens. Returns null if the key stopped working in the meantime. */
async function issueToken(ctx: Pick<Context, 'db' | 'clock' | 'config'>, keyId: string, scopes: readonly string[]): Promise<string | null> {
  const token = newSecret(tokenPrefix)
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    if (!(await workingKey(tx, ctx, keyId))) return null
    await tx.deleteFrom('business_key_tokens').where('key_id', '=', keyId).where('expires_at', '<=', now).execute()
    const expires_at = new Date(now.getTime() + lifetimeMs)
    await tx
      .insertInto('business_key_tokens')
      .values({ token_hash: hashOfSecret(token), key_id: keyId, scopes: [...scopes], expires_at })
      .execute()
    return token
  })
}
