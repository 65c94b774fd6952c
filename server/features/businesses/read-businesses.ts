import { sql } from 'kysely'
import { amenities } from '#contracts/amenities.ts'
import type { searchMap as endpoint } from '#contracts/businesses.endpoints.ts'
import type { Business, BusinessSort, BusinessSummary, Closure, License, PublicVerification } from '#contracts/businesses.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { maxPins } from '#contracts/limits.ts'
import type { WeeklyHours } from '#contracts/locations.ts'
import type { Db } from '#server/db/connect.ts'
import { countRows, countUpTo } from '#server/db/count-rows.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { storedAnswer } from '#server/kernel/answer-cache.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { type BoundingBox, crossesAntimeridian } from '#server/kernel/geo/distance.ts'
import { type Page, toPage } from '#server/kernel/keyset.ts'
import { bylinePicture, pictureUrl } from '#server/kernel/media-address.ts'
import { openNow } from '#server/kernel/opening-hours.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import {
  type DetailRow,
  detailRow,
  type LicenseRow,
  licensesOf,
  licensesOfBusinesses,
  type OpeningHours,
  openingHours,
  requireBusiness,
  type SummaryRow,
  shownVerification,
  summaryRows,
  type VerificationRow,
} from './businesses.queries.ts'
import { findIds, knownDistance, matching, widened } from './search.queries.ts'
import { centerOf, type Filters, type Search, toSearch } from './search.ts'

type Query = Filters & { sort: BusinessSort; limit: number; cursor?: string | undefined }

export async function listBusinesses(db: Db, query: Query, now: Date): Promise<Page<BusinessSummary>> {
  const search = await searchFor(db, query, now)
  if (query.sort === 'distance' && !centerOf(search)) {
    throw invalidField('sort', 'To sort by distance, set `near` to a city, a ZIP code or a point')
  }
  const found = await findIds(db, search, query)
  const { items, nextCursor } = toPage(found, query.limit, (row) => row.key)
  const distances = new Map(items.map((row) => [row.id, knownDistance(row.distance)]))
  return { items: await loadSummaries(db, [...distances.keys()], now, distances), nextCursor }
}

async function searchFor(db: Db, query: Filters, now: Date): Promise<Search> {
  const search = toSearch(query, now)
  return query.widen ? widened(db, search) : search
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
    return row ? [toSummary(row, now, distances?.get(id) ?? null)] : []
  })
}

/** The business as the public sees it. A hidden business isn't found. @throws AppError not_found */
export async function getShownBusiness(db: Db, idOrSlug: string, now: Date): Promise<Business> {
  return getBusiness(db, (await requireBusiness(db, idOrSlug)).id, now)
}

/** Also finds a business hidden by moderators if the viewer is on its team. Undefined if there is none. */
export async function getOwnBusiness(
  db: Db,
  { id: viewerId }: Pick<Actor, 'id'>,
  idOrSlug: string,
  now: Date,
): Promise<Business | undefined> {
  const business = await requireBusiness(db, idOrSlug, viewerId).catch(() => undefined)
  return business && getBusiness(db, business.id, now)
}

/** Includes hidden businesses, because it doesn't check access. @throws AppError not_found */
export async function getBusiness(db: Db, id: string, now: Date): Promise<Business> {
  const row = await detailRow(db, id, now)
  if (!row) throw notFound('Business not found.')
  return toBusiness(row, await licensesOf(db, row.id), await shownVerification(db, row.id, now), now)
}

export async function licensesOfAll(db: Db, businessIds: readonly string[]): Promise<Map<string, License[]>> {
  const found = new Map<string, License[]>()
  if (businessIds.length === 0) return found
  for (const { business_id, ...row } of await licensesOfBusinesses(db, businessIds)) {
    if (business_id) found.set(business_id, [...(found.get(business_id) ?? []), toLicense(row)])
  }
  return found
}

type MapAnswer = ResponseOf<typeof endpoint>
type Pin = MapAnswer['pins'][number]

/**
 * All matches of a search within a map's window: individual pins, or cells with counts if there are more than `maxPins`.
 * @param isFresh ignores the cached count, which may lack what the viewer has just written
 */
export async function searchMap(
  { db, cache }: Pick<Context, 'db' | 'cache'>,
  { zoom, ...query }: Filters & { zoom: number },
  now: Date,
  isFresh: boolean,
): Promise<MapAnswer> {
  const search = await searchFor(db, query, now)
  const countAll = () => countRows(db.selectFrom('businesses').where(matching(search, null)))
  const [total, pinCount] = await Promise.all([
    isFresh ? countAll() : countForWindow(cache, query, search, countAll),
    countUpTo(db, pinned(db, search), maxPins + 1),
  ])
  const pins = pinCount <= maxPins ? await readPins(db, search, now) : await readCells(db, search, cellSize(zoom, search.bbox), now)
  return {
    total,
    place: search.area && {
      label: search.area.label,
      ...search.area.center,
      radiusMiles: search.area.radiusMiles,
      otherText: search.otherText,
    },
    pins,
  }
}

/** Windows of one search share the count, because every move of the map requests another window. */
async function countForWindow(cache: Context['cache'], query: Filters, search: Search, countAll: () => Promise<number>): Promise<number> {
  if (!search.bbox || search.bbox.west === search.bbox.east) return countAll()
  const { bbox: _, ...filters } = query
  const count = async () => storedAnswer(`${await countAll()}`)
  return Number((await cache.answer('businesses', `count ${JSON.stringify(filters)}`, count)).body)
}

const pinned = (db: Db, search: Search) => db.selectFrom('businesses').where(matching(search)).where('pin_latitude', 'is not', null)

const pinColumns = ['id', 'slug', 'name', 'type', 'pin_latitude', 'pin_longitude', 'pin_precision'] as const

async function readPins(db: Db, search: Search, now: Date): Promise<Pin[]> {
  const rows = await pinned(db, search)
    .select([...pinColumns, openingHours(now).as('opening_hours')])
    // Keeps the result for a window deterministic.
    .orderBy('id')
    .limit(maxPins)
    .execute()
  return rows.map((row) => toPin(row, now))
}

type PinRow = Pick<Pin, 'slug' | 'name' | 'type'> & {
  id: string
  pin_latitude: number | null
  pin_longitude: number | null
  pin_precision: Pin['precision']
  opening_hours: OpeningHours | null
}

const toPin = (row: PinRow, now: Date): Pin => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  type: row.type,
  latitude: row.pin_latitude as number,
  longitude: row.pin_longitude as number,
  precision: row.pin_precision,
  openNow: row.opening_hours && toOpenNow(row.opening_hours, now),
  count: 1,
})

/** Cell width on screen in pixels. With 512-pixel tiles at zoom 4, a cell is about two degrees wide. */
const cellPixels = 48
const tilePixels = 512
/** If the zoom doesn't fit the window, a response still has at most about this many cells in each direction. */
const maxCellsAcross = 70

/** In degrees of longitude. */
function cellSize(zoom: number, box: BoundingBox | null): number {
  const width = box ? (crossesAntimeridian(box) ? box.east + 360 - box.west : box.east - box.west) : 360
  const height = box ? box.north - box.south : 180
  return Math.max(((360 / 2 ** zoom) * cellPixels) / tilePixels, width / maxCellsAcross, height / maxCellsAcross)
}

async function readCells(db: Db, search: Search, size: number, now: Date): Promise<Pin[]> {
  const column = sql<number>`floor(pin_longitude / ${size}::float8)`
  const row = sql<number>`floor(pin_latitude / ${size}::float8)`
  const cells = await pinned(db, search)
    .select((eb) => [
      column.as('x'),
      row.as('y'),
      eb.fn.countAll<number>().as('count'),
      // This is the center of the cell's contents, not of the cell, so a lone town stays in place.
      eb.fn.avg<number>('pin_latitude').as('latitude'),
      eb.fn.avg<number>('pin_longitude').as('longitude'),
    ])
    .groupBy(['x', 'y'])
    .execute()
  const lone = await loneBusinesses(
    db,
    search,
    cells.filter((cell) => cell.count === 1),
    now,
  )
  const counted = cells
    .filter((cell) => cell.count > 1)
    .map(({ x, y, count, latitude, longitude }) => ({
      id: `${x}:${y}`,
      slug: null,
      name: null,
      type: null,
      latitude,
      longitude,
      precision: null,
      openNow: null,
      count,
    }))
  return [...lone, ...counted]
}

/** Businesses alone in their cells; there the average coordinate is the business's own. */
async function loneBusinesses(db: Db, search: Search, cells: { latitude: number; longitude: number }[], now: Date): Promise<Pin[]> {
  if (cells.length === 0) return []
  const latitudes = cells.map((cell) => cell.latitude)
  const longitudes = cells.map((cell) => cell.longitude)
  const rows = await pinned(db, search)
    .select([...pinColumns, openingHours(now).as('opening_hours')])
    .where(sql<boolean>`(pin_latitude, pin_longitude) in (select * from unnest(${latitudes}::float8[], ${longitudes}::float8[]))`)
    .execute()
  return rows.map((row) => toPin(row, now))
}

function toSummary(row: SummaryRow, now: Date, distanceMiles: number | null = null): BusinessSummary {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    type: row.type,
    description: row.description,
    location: row.location,
    address: row.address,
    phone: row.phone,
    website: row.website,
    // Never the URL that the owner entered, because visitors' browsers would contact that site.
    imageUrl: row.image_id && pictureUrl(row.image_id, 'medium', 'webp'),
    averageRating: row.average_rating,
    totalRatings: row.total_ratings,
    subscriberCount: row.subscriber_count,
    isClaimed: row.claimed_at !== null,
    isDemo: row.is_demo,
    licenseStanding: row.license_standing,
    isLicenseVerified: row.is_license_verified,
    hasVerifiedBadge: row.has_verified_badge,
    pin:
      row.pin_latitude === null || row.pin_longitude === null || row.pin_precision === null
        ? null
        : { latitude: row.pin_latitude, longitude: row.pin_longitude, precision: row.pin_precision },
    distanceMiles,
    openNow: row.closure === null && row.opening_hours ? toOpenNow(row.opening_hours, now) : null,
    timeZone: row.opening_hours?.timeZone ?? null,
    menuConfirmedAt: row.menu_confirmed_at?.toISOString() ?? null,
    closure: toClosure(row, now),
    createdAt: row.created_at.toISOString(),
  }
}

function toClosure({ closure, closed_at, closed_by, reopens_on, opening_hours }: SummaryRow, now: Date): Closure | null {
  if (!closure || !closed_at || !closed_by) return null
  // A reopening day in the past no longer counts.
  const isAhead = reopens_on !== null && reopens_on >= localTime(opening_hours?.timeZone ?? 'UTC', now).date
  return { kind: closure, since: closed_at.toISOString(), by: closed_by, reopensOn: isAhead ? reopens_on : null }
}

function toOpenNow({ timeZone, intervals, specialDays }: OpeningHours, now: Date): NonNullable<BusinessSummary['openNow']> {
  const hours: WeeklyHours = Array.from({ length: 7 }, () => [])
  for (const [weekday, opens, closes] of intervals) hours[weekday]?.push({ opens, closes })
  const special = specialDays.map(({ day, opens, closes, note }) => ({
    day,
    note,
    intervals: opens.map((minute, i) => ({ opens: minute, closes: closes[i] as number })),
  }))
  const { changesAt, ...state } = openNow({ timeZone, hours, specialDays: special }, now)
  return { ...state, changesAt: changesAt?.toISOString() ?? null }
}

function toBusiness(row: DetailRow, licenses: LicenseRow[], verification: VerificationRow | undefined, now: Date): Business {
  return {
    ...toSummary(row, now),
    city: row.city,
    state: row.state,
    zip: row.zip,
    logoUrl: bylinePicture(row.logo_id),
    amenities: amenities.filter((each) => row.amenities.includes(each)),
    move: row.move,
    licenses: licenses.map(toLicense),
    verification: toPublicVerification(verification),
    productAge: productAgeOf(row),
  }
}

const neverVerified: PublicVerification = {
  status: 'none',
  licenseNumber: null,
  state: null,
  authority: null,
  source: null,
  sourceDate: null,
  checkedAt: null,
  expiresOn: null,
  expirySource: null,
  basis: null,
  reason: null,
}

function toPublicVerification(row: VerificationRow | undefined): PublicVerification {
  if (!row) return neverVerified
  const status = row.status === 'verified' && row.is_over ? 'expired' : row.status
  if (status !== 'verified' && status !== 'expired' && status !== 'revoked') return neverVerified
  return {
    status,
    licenseNumber: row.license_number,
    state: row.state,
    authority: row.authority,
    source: row.source,
    sourceDate: row.source_date,
    checkedAt: row.checked_at?.toISOString() ?? null,
    expiresOn: row.expires_on,
    expirySource: row.expiry_source,
    basis: row.basis,
    reason: row.reason,
  }
}

const toLicense = (row: LicenseRow): License => ({
  id: row.id,
  licenseNumber: row.license_number,
  licenseType: row.license_type,
  status: row.status,
  designation: row.designation,
  standing: row.standing,
  state: row.state,
  authority: row.authority,
  source: row.source,
  sourceDate: row.source_date,
})
