import type { Parsed } from '../../../contracts/endpoint.ts'
import type { listHunts as contract, Hunt } from '../../../contracts/hunts.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { searchWords } from '../businesses/index.ts'
import { keysOfMine, keysOfPublic } from './hunts.queries.ts'
import { readHunts } from './read-hunts.ts'

type Query = Parsed<(typeof contract)['query']>

export async function listHunts(db: Db, actor: Actor, query: Query): Promise<Page<Hunt>> {
  const { items, nextCursor } = await (query.scope === 'public' ? publicPage(db, actor, query) : ownPage(db, actor, query))
  return {
    items: await readHunts(
      db,
      actor,
      items.map(({ id }) => id),
    ),
    nextCursor,
  }
}

const filterOf = ({ isActive, search }: Query) => ({ isActive, words: searchWords(search ?? '') })

async function ownPage(db: Db, actor: Actor, query: Query): Promise<Page<{ id: string }>> {
  const after = decodeCursor(query.cursor, ['id'])
  const keys = await keysOfMine(db, actor.id, filterOf(query), { afterId: after?.[0] ?? null, limit: query.limit + 1 })
  return toPage(keys, query.limit, ({ id }) => [id])
}

async function publicPage(db: Db, actor: Actor, query: Query): Promise<Page<{ id: string }>> {
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const keys = await keysOfPublic(db, actor.id, filterOf(query), { after, limit: query.limit + 1 })
  return toPage(keys, query.limit, ({ id, published_at }) => [(published_at as Date).toISOString(), id])
}
