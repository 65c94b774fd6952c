import { type Expression, type SqlBool, sql } from 'kysely'
import { type BusinessType, businessTypeLabels, businessTypePluralLabels } from '#contracts/business-types.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { escapeLike, foldText } from '#server/kernel/fold-text.ts'
import type { BoundingBox, Point } from '#server/kernel/geo/distance.ts'
import { findCity, type Place } from '#server/kernel/geo/gazetteer.ts'
import { resolvePlace, textBesideZip } from '#server/kernel/geo/place-search.ts'

export const defaultRadiusMiles = 25

export type Area = { label: string; center: Point; radiusMiles: number | null; state: string | null }

export type Search = {
  words: string[]
  /** The text without the place that it names. */
  otherText: string
  area: Area | null
  /** The text itself named the area, so a match by area or by text is enough. */
  areaOrText: boolean
  bbox: BoundingBox | null
  type: BusinessType | null
  state: string | null
  verified: boolean
  openAt: Date | null
  /** Finds only businesses that are open at some time on this local date, such as `2026-11-21`. */
  openOn: string | null
  /** Finds only businesses in the city itself. */
  city: string | null
}

export type Filters = {
  q?: string | undefined
  near?: string | undefined
  radius?: number | undefined
  widen?: boolean | undefined
  bbox?: [number, number, number, number] | undefined
  type?: BusinessType | undefined
  state?: string | undefined
  verified?: boolean | undefined
  open?: boolean | undefined
  /** `openOn` and `city` are only for callers on the server: see `Search`. */
  openOn?: string | undefined
  city?: string | undefined
}

/** @throws AppError invalid_input if `near` is not a known place or `bbox` is upside down */
export function toSearch(filters: Filters, now: Date): Search {
  const radiusMiles = filters.radius ?? defaultRadiusMiles
  const near = filters.near ? nearArea(filters.near, radiusMiles, 'near') : null
  const { q = '' } = filters
  const named = near ? null : placeNamedBy(q)
  const otherText = named ? otherTextOf(q, named) : q
  return {
    words: searchWords(otherText || q),
    otherText,
    area: near ?? (named && areaAround(named, radiusMiles)),
    areaOrText: named !== null && otherText === '',
    bbox: filters.bbox ? toBox(filters.bbox) : null,
    type: filters.type ?? null,
    state: filters.state ?? null,
    verified: filters.verified ?? false,
    openAt: filters.open ? now : null,
    openOn: filters.openOn ?? null,
    city: filters.city ?? null,
  }
}

export const centerOf = (search: Search): Point | null => (search.area && search.area.radiusMiles !== null ? search.area.center : null)

/** Parses "latitude,longitude" or a known place. @throws AppError invalid_input about `field` */
export function nearArea(near: string, radiusMiles: number, field: string): Area {
  const center = pointOf(near, field)
  if (center) return { label: 'Chosen point', center, radiusMiles, state: null }
  const place = resolvePlace(near)
  if (!place) throw invalidField(field, 'We don’t know this place. Enter a city and state, or a ZIP code')
  return areaAround(place, radiusMiles)
}

/** Parses "latitude,longitude"; null for other text. @throws AppError invalid_input about `field` if the point is out of range */
function pointOf(text: string, field: string): Point | null {
  const point = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text)
  if (!point) return null
  const center = { latitude: Number(point[1]), longitude: Number(point[2]) }
  if (Math.abs(center.latitude) > 90 || Math.abs(center.longitude) > 180) {
    throw invalidField(field, 'Latitude can be at most 90 degrees and longitude at most 180')
  }
  return center
}

function areaAround(place: Place, radiusMiles: number): Area {
  const { label, latitude, longitude, state } = place
  const center = { latitude, longitude }
  return place.kind === 'state' ? { label, center, radiusMiles: null, state } : { label, center, radiusMiles, state: null }
}

/** A bare word means a city with at least this population: "Denver", but not "Star" (Idaho) or "Bloom" (Kansas). */
const bareCityPopulation = 20_000

function placeNamedBy(text: string): Place | null {
  const place = resolvePlace(text)
  if (place?.kind !== 'city') return place
  const isBareName = findCity(text, place.state) !== null
  return !isBareName || (place.population ?? 0) >= bareCityPopulation ? place : null
}

const typeNames = new Set([...Object.values(businessTypeLabels), ...Object.values(businessTypePluralLabels)].map(foldText))

/** A type isn't in `search_text`, so as text, "dispensaries near 80202" would find almost nothing. */
function otherTextOf(text: string, named: Place): string {
  const other = named.kind === 'zip' ? textBesideZip(text, named) : ''
  return typeNames.has(foldText(other)) ? '' : other
}

const toBox = ([west, south, east, north]: [number, number, number, number]): BoundingBox => {
  if (south > north) throw invalidField('bbox', 'Must be west,south,east,north in degrees')
  return { west, south, east, north }
}

const maxWords = 8

/** The value of `businesses.search_text`. Line breaks prevent matches across fields. */
export const searchTextOf = (business: { name: string; description: string | null; location: string | null }): string =>
  foldText([business.name, business.description, business.location].filter(Boolean).join('\n'))

export const searchWords = (question: string): string[] => [...new Set(foldText(question).split(/\s+/).filter(Boolean))].slice(0, maxWords)

/** Uses the trigram index if there is one (see `server/db/trigram-index.ts`), otherwise a scan. */
export const containsWord = (column: Expression<string>, word: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${`%${escapeLike(word)}%`} escape '\\'`
