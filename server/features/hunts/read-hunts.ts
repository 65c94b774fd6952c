import type { Hunt, HuntSummary } from '../../../contracts/hunts.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { huntFigures, ownFigures } from './hunt-figures.queries.ts'
import { huntRows } from './hunts.queries.ts'
import { toHunt } from './hunts.view.ts'

type Viewer = Pick<Actor, 'id'>

/** @throws AppError not_found for whom it does not exist */
export async function loadHunt(db: Db, viewer: Viewer, huntId: string): Promise<Hunt> {
  const [hunt] = await readHunts(db, viewer, [huntId])
  if (!hunt) throw notFound('There is no such hunt.')
  return hunt
}

/** In the order of the ids, without those that do not exist for the viewer. */
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
