import * as contract from '#contracts/keys.endpoints.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { KeyReader } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { findKey, findKeyOfToken, keysPage } from './keys.queries.ts'
import { addOAuthToken } from './oauth-token.ts'
import { createKey, hashOfKey, isKey, isToken, revokeKey } from './write-keys.ts'

export { mayCreatorConnect, notifiedConnections, requireWorkingKey, workingKey } from './keys.queries.ts'
export { keyRoutes } from './oauth-token.ts'

/** Reads the database for every call, so that a revoked key stops at once. Text that can't be a key costs no query. */
export const createKeyReader = (ctx: Pick<Context, 'db' | 'clock' | 'config'>): KeyReader => ({
  async read(authorization) {
    const [, secret = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
    if (isToken(secret)) return findKeyOfToken(ctx, hashOfKey(secret))
    return isKey(secret) ? findKey(ctx, hashOfKey(secret)) : null
  },
})

export function registerKeys(api: Api): void {
  route(api, contract.listKeys, async ({ ctx, actor, params, query }) => {
    const { id } = await requirePermission(ctx.db, actor, params.id, 'connections')
    const after = decodeCursor(query.cursor, ['time', 'id'])
    const keys = await keysPage(ctx.db, id, after, query.limit + 1, ctx.clock.now())
    return toPage(keys, query.limit, (key) => [key.createdAt, key.id])
  })
  addOAuthToken(api)
  route(api, contract.createKey, ({ ctx, actor, params, body }) => createKey(ctx, actor, params.id, body))
  route(api, contract.revokeKey, ({ ctx, actor, params }) => revokeKey(ctx, actor, params.id, params.keyId))
}
