import type { Parsed } from '#contracts/endpoint.ts'
import type { listHunts as contract, Hunt, HuntSummary } from '#contracts/hunts.ts'
import type { Db } from '#server/db/connect.ts'
import { searchWords } from '#server/features/businesses/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { huntFigures, ownFigures } from './hunt-figures.queries.ts'
import { huntRows, keysOfMine, keysOfPublic } from './hunts.queries.ts'
import { toHunt } from './hunts.view.ts'

type Viewer = Pick<Actor, 'id'>

/** @throws AppError not_found if it is missing or not visible to the viewer */
export async function loadHunt(db: Db, viewer: Viewer, huntId: string): Promise<Hunt> {
  const [hunt] = await readHunts(db, viewer, [huntId])
  if (!hunt) throw notFound('Hunt not found.')
  return hunt
}

/** In the order of the ids, without hunts the viewer can't see. */
export async function readHunts(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Hunt[]> {
  if (ids.length === 0) return []
  const rows = new Map((await huntRows(db, viewer.id, ids)).map((row) => [row.hunt_id, row]))
  const figures = await huntFigures(db, [...rows.keys()])
  return ids.flatMap((id) => {
    const row = rows.get(id)
    const figuresOf = figures.get(id)
    return row && figuresOf ? [toHunt(row, figuresOf)] : []
  })
}

export async function summarizeHunts(db: Db, viewer: Viewer): Promise<HuntSummary> {
  const { active, completed, living_plants: livingPlants, keepers } = await ownFigures(db, viewer.id)
  return { active, completed, livingPlants, keepers }
}

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
