import type { Business, BusinessSort, BusinessSummary, License } from '#contracts/businesses.ts'
import type { Db } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { type Page, toPage } from '#server/kernel/keyset.ts'
import { detailRow, licensesOf, licensesOfThese, requireBusiness, shownVerification, summaryRows } from './businesses.queries.ts'
import { toBusiness, toLicense, toSummary } from './businesses.view.ts'
import { findIds, knownDistance } from './search.queries.ts'
import { centerOf, type Filters, toSearch } from './search.ts'

type Query = Filters & { sort: BusinessSort; limit: number; cursor?: string | undefined }

export async function listBusinesses(db: Db, query: Query, now: Date): Promise<Page<BusinessSummary>> {
  const search = toSearch(query)
  if (query.sort === 'distance' && !centerOf(search)) {
    throw invalidField('sort', 'To sort by distance, set `near` to a city, a ZIP code or a point')
  }
  const found = await findIds(db, search, query)
  const { items, nextCursor } = toPage(found, query.limit, (row) => row.key)
  const distances = new Map(items.map((row) => [row.id, knownDistance(row.distance)]))
  return { items: await loadSummaries(db, [...distances.keys()], now, distances), nextCursor }
}

/** Keeps the order of the IDs. */
export async function loadSummaries(
  db: Db,
  ids: readonly string[],
  now: Date,
  distances?: ReadonlyMap<string, number | null>,
): Promise<BusinessSummary[]> {
  if (ids.length === 0) return []
  const rows = new Map((await summaryRows(db, ids, now)).map((row) => [row.id, row]))
  // Skip businesses deleted between the two reads.
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [toSummary(row, distances?.get(id) ?? null)] : []
  })
}

/** As the public sees it; hidden businesses are missing. @throws AppError not_found */
export async function getShownBusiness(db: Db, idOrSlug: string, now: Date): Promise<Business> {
  return getBusiness(db, (await requireBusiness(db, idOrSlug)).id, now)
}

/** For its team, even if hidden by moderators; undefined for others. */
export async function getOwnBusiness(
  db: Db,
  { id: viewerId }: Pick<Actor, 'id'>,
  idOrSlug: string,
  now: Date,
): Promise<Business | undefined> {
  const business = await requireBusiness(db, idOrSlug, viewerId).catch(() => undefined)
  return business && getBusiness(db, business.id, now)
}

/** Includes hidden businesses; the caller has checked access. @throws AppError not_found */
export async function getBusiness(db: Db, id: string, now: Date): Promise<Business> {
  const row = await detailRow(db, id, now)
  if (!row) throw notFound('Business not found.')
  return toBusiness(row, await licensesOf(db, row.id), await shownVerification(db, row.id, now))
}

export async function licensesOfAll(db: Db, businessIds: readonly string[]): Promise<Map<string, License[]>> {
  const found = new Map<string, License[]>()
  if (businessIds.length === 0) return found
  for (const { business_id, ...row } of await licensesOfThese(db, businessIds)) {
    if (business_id) found.set(business_id, [...(found.get(business_id) ?? []), toLicense(row)])
  }
  return found
}
