import type { listDrafts as contract, Draft } from '../../../contracts/drafts.ts'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requirePermission } from '../team/index.ts'
import { draftKeys } from './drafts.queries.ts'
import { readDrafts } from './read-drafts.ts'

type Query = Parsed<(typeof contract)['query']>

/** @throws AppError not_found, forbidden about the business */
export async function listDrafts(db: Db, actor: Actor, { business, status, limit, cursor }: Query): Promise<Page<Draft>> {
  const owner = business === undefined ? { personId: actor.id } : { businessId: (await requirePermission(db, actor, business, 'posts')).id }
  const after = decodeCursor(cursor, ['id'])
  const keys = await draftKeys(db, owner, { status, afterId: after?.[0] ?? null, limit: limit + 1 })
  const { items, nextCursor } = toPage(keys, limit, ({ id }) => [id])
  return {
    items: await readDrafts(
      db,
      items.map(({ id }) => id),
    ),
    nextCursor,
  }
}
