import type { BusinessSort, BusinessSummary } from '../../../contracts/businesses.ts'
import type { Db } from '../../db/connect.ts'
import { invalidField } from '../../kernel/errors.ts'
import { type Page, toPage } from '../../kernel/keyset.ts'
import { summaryRows } from './businesses.queries.ts'
import { toSummary } from './businesses.view.ts'
import { findIds, knownDistance } from './search.queries.ts'
import { centerOf, type Filters, toSearch } from './search.ts'

type Query = Filters & { sort: BusinessSort; limit: number; cursor?: string | undefined }

/** One page of businesses: ids in their order, then the rows, then the view. */
export async function listBusinesses(db: Db, query: Query, now: Date): Promise<Page<BusinessSummary>> {
  const search = toSearch(query)
  if (query.sort === 'distance' && !centerOf(search)) {
    throw invalidField('sort', 'Sorting by distance needs a city, a ZIP code or a point in `near`')
  }
  const found = await findIds(db, search, query)
  const { items, nextCursor } = toPage(found, query.limit, (row) => row.key)
  const distances = new Map(items.map((row) => [row.id, knownDistance(row.distance)]))
  return { items: await loadSummaries(db, [...distances.keys()], now, distances), nextCursor }
}

/** The summaries of these businesses, in the order of the ids. */
export async function loadSummaries(
  db: Db,
  ids: readonly string[],
  now: Date,
  distances?: ReadonlyMap<string, number | null>,
): Promise<BusinessSummary[]> {
  if (ids.length === 0) return []
  const rows = new Map((await summaryRows(db, ids, now)).map((row) => [row.id, row]))
  // A business that was removed between the two reads is left out.
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [toSummary(row, distances?.get(id) ?? null)] : []
  })
}
