import type { Parsed } from '#contracts/endpoint.ts'
import type { listHunts as contract } from '#contracts/hunts.endpoints.ts'
import type { Hunt, HuntSummary } from '#contracts/hunts.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { searchWords } from '#server/features/businesses/index.ts'
import { toPerson } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type HuntFigures, type HuntRow, huntFigures, huntRows, keysOfOwnAndShared, keysOfPublic, ownFigures } from './hunts.queries.ts'

type Viewer = Pick<Actor, 'id'>

/** @throws AppError not_found if the viewer can't see it */
export async function loadHunt(db: Db, viewer: Viewer, huntId: string): Promise<Hunt> {
  const [hunt] = await readHunts(db, viewer, [huntId])
  if (!hunt) throw notFound('Hunt not found.')
  return hunt
}

/** Returns hunts in the order of the IDs, without those the viewer can't see. */
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
    items: await readHunts(db, actor, idsOf(items)),
    nextCursor,
  }
}

const filterOf = ({ isActive, search }: Query) => ({ isActive, words: searchWords(search ?? '') })

async function ownPage(db: Db, actor: Actor, query: Query): Promise<Page<{ id: string }>> {
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const keys = await keysOfOwnAndShared(db, actor.id, filterOf(query), { after, limit: query.limit + 1 })
  return toPage(keys, query.limit, ({ id, created_at }) => [created_at.toISOString(), id])
}

async function publicPage(db: Db, actor: Actor, query: Query): Promise<Page<{ id: string }>> {
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const keys = await keysOfPublic(db, actor.id, filterOf(query), { after, limit: query.limit + 1 })
  return toPage(keys, query.limit, ({ id, published_at }) => [(published_at as Date).toISOString(), id])
}

/** The viewer must have access to the row. */
function toHunt(row: HuntRow, figures: HuntFigures): Hunt {
  const access = row.access ?? 'view'
  const isOwn = access === 'own'
  const isPublic = row.visibility === 'public'
  return {
    id: row.hunt_id,
    huntName: row.hunt_name,
    breeders: row.breeders,
    seedCount: row.seed_count,
    isActive: row.is_active,
    growEnvironment: row.grow_environment,
    germinationDate: row.germination_date,
    goals: row.goals,
    // The legal plant limit is private to the owner and people the hunt is shared with.
    plantLimit: isOwn || row.is_shared_with_viewer ? row.plant_limit : null,
    selectsMales: row.selects_males,
    ranksHarvested: row.ranks_harvested,
    visibility: row.visibility,
    publishedAt: row.published_at?.toISOString() ?? null,
    access,
    owner: toPerson(row),
    isOwnerFollowed: row.is_owner_followed,
    sharesCount: row.shares_count,
    counts: {
      genotypes: figures.genotypes,
      livingPlants: figures.living_plants,
      logs: figures.logs,
      keepers: figures.keepers,
      culled: figures.culled,
    },
    stages: {
      germinatedOn: row.germination_date,
      vegetativeOn: figures.vegetative_on,
      flowerOn: figures.flower_on,
      harvestedOn: figures.harvested_on,
      driedOn: figures.dried_on,
    },
    commentsCount: row.comments_count,
    photosAwaited: access === 'view' ? 0 : row.photos_awaited,
    isDemo: row.is_demo,
    version: row.version,
    completedOn: row.completed_on,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    abilities: {
      write: access !== 'view',
      own: isOwn,
      leave: row.is_shared_with_viewer,
      comment: isPublic,
      report: isPublic && !isOwn,
    },
  }
}
