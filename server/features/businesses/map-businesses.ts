import { sql } from 'kysely'
import { type mapBusinesses as endpoint, maxPins } from '#contracts/businesses.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { type BoundingBox, crossesAntimeridian } from '#server/kernel/geo/distance.ts'
import { matching } from './search.queries.ts'
import { type Filters, type Search, toSearch } from './search.ts'

type MapAnswer = ResponseOf<typeof endpoint>
type Pin = MapAnswer['pins'][number]

/** All matches of a search within a map's window: individual pins, or cells with counts if there are more than `maxPins`. */
export async function mapBusinesses(db: Db, query: Filters & { zoom: number }): Promise<MapAnswer> {
  const search = toSearch(query)
  const [total, pinned] = await Promise.all([countAll(db, search), countPins(db, search, maxPins + 1)])
  const pins = pinned <= maxPins ? await readPins(db, search) : await readCells(db, search, cellSize(query.zoom, search.bbox))
  return {
    total,
    place: search.area && { label: search.area.label, ...search.area.center, radiusMiles: search.area.radiusMiles },
    pins,
  }
}

async function countAll(db: Db, search: Search): Promise<number> {
  const { count } = await db
    .selectFrom('businesses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(matching(search, null))
    .executeTakeFirstOrThrow()
  return count
}

const pinned = (db: Db, search: Search) => db.selectFrom('businesses').where(matching(search)).where('pin_latitude', 'is not', null)

async function countPins(db: Db, search: Search, max: number): Promise<number> {
  const some = pinned(db, search).select(sql<number>`1`.as('one')).limit(max).as('some')
  const { count } = await db
    .selectFrom(some)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const pinColumns = ['id', 'slug', 'name', 'type', 'pin_latitude', 'pin_longitude', 'pin_precision'] as const

async function readPins(db: Db, search: Search): Promise<Pin[]> {
  const rows = await pinned(db, search)
    .select(pinColumns)
    // Keeps the result for a window deterministic.
    .orderBy('id')
    .limit(maxPins)
    .execute()
  return rows.map(toPin)
}

type PinRow = Pick<Pin, 'slug' | 'name' | 'type'> & {
  id: string
  pin_latitude: number | null
  pin_longitude: number | null
  pin_precision: Pin['precision']
}

const toPin = (row: PinRow): Pin => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  type: row.type,
  latitude: row.pin_latitude as number,
  longitude: row.pin_longitude as number,
  precision: row.pin_precision,
  count: 1,
})

/** Cell width on screen in pixels. With 512-pixel tiles at zoom 4, a cell is about two degrees wide. */
const cellPixels = 48
const tilePixels = 512
/** If zoom and window disagree, a response has at most about this many cells squared. */
const maxCellsAcross = 70

/** In degrees of longitude. */
function cellSize(zoom: number, box: BoundingBox | null): number {
  const width = box ? (crossesAntimeridian(box) ? box.east + 360 - box.west : box.east - box.west) : 360
  const height = box ? box.north - box.south : 180
  return Math.max(((360 / 2 ** zoom) * cellPixels) / tilePixels, width / maxCellsAcross, height / maxCellsAcross)
}

async function readCells(db: Db, search: Search, size: number): Promise<Pin[]> {
  const column = sql<number>`floor(pin_longitude / ${size}::float8)`
  const row = sql<number>`floor(pin_latitude / ${size}::float8)`
  const cells = await pinned(db, search)
    .select((eb) => [
      column.as('x'),
      row.as('y'),
      eb.fn.countAll<number>().as('count'),
      // The center of the cell's contents, not of the cell, so a lone town stays in place.
      eb.fn.avg<number>('pin_latitude').as('latitude'),
      eb.fn.avg<number>('pin_longitude').as('longitude'),
    ])
    .groupBy(['x', 'y'])
    .execute()
  const lone = await loneBusinesses(
    db,
    search,
    cells.filter((cell) => cell.count === 1),
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
      count,
    }))
  return [...lone, ...counted]
}

/** Businesses alone in their cells; there the average coordinate is the business's own. */
async function loneBusinesses(db: Db, search: Search, cells: { latitude: number; longitude: number }[]): Promise<Pin[]> {
  if (cells.length === 0) return []
  const latitudes = cells.map((cell) => cell.latitude)
  const longitudes = cells.map((cell) => cell.longitude)
  const rows = await pinned(db, search)
    .select(pinColumns)
    .where(sql<boolean>`(pin_latitude, pin_longitude) in (select * from unnest(${latitudes}::float8[], ${longitudes}::float8[]))`)
    .execute()
  return rows.map(toPin)
}
