import type { Community } from '../../../contracts/communities.ts'
import { isUuid } from '../../../contracts/ids.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { communityRows, idOfSlug } from './communities.queries.ts'
import { toCommunity } from './communities.view.ts'

type Viewer = Pick<Actor, 'id'>

/** By its id or address. @throws AppError not_found for whom it does not exist */
export async function loadCommunity(db: Db, viewer: Viewer, idOrSlug: string, now: Date): Promise<Community> {
  const id = isUuid(idOrSlug) ? idOrSlug : await idOfSlug(db, idOrSlug)
  const [community] = id === undefined ? [] : await readCommunities(db, viewer, [id], now)
  if (!community) throw notFound('There is no such community.')
  return community
}

/** In the order of the ids, without those that do not exist for the viewer. */
export async function readCommunities(db: Db, viewer: Viewer, ids: readonly string[], now: Date): Promise<Community[]> {
  if (ids.length === 0) return []
  const rows = await communityRows(db, viewer.id, ids, now)
  const seen = new Map(rows.flatMap((row) => (row.access ? [[row.id, toCommunity(row, row.access)]] : [])))
  return ids.flatMap((id) => seen.get(id) ?? [])
}

/** What whoever holds an open invitation may see of a community before they accept it; undefined where they could not come in. */
export async function readAsInvited(db: Db, viewer: Viewer, id: string, now: Date): Promise<Community | undefined> {
  const [row] = await communityRows(db, viewer.id, [id], now)
  if (!row || row.moderation !== null || row.is_banned) return undefined
  // The picture of what does not exist for them yet would not be shown to them.
  return row.access ? toCommunity(row, row.access) : { ...toCommunity(row, 'see'), imageUrl: null }
}
