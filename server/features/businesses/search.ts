import type { BusinessType } from '../../../contracts/business-types.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { BoundingBox, Point } from '../../kernel/geo/distance.ts'
import { findCity, type Place } from '../../kernel/geo/gazetteer.ts'
import { resolvePlace } from '../../kernel/geo/place-search.ts'
import { searchWords } from './text-filter.ts'

export const defaultRadiusMiles = 25

/** A circle around a point, or a whole state. */
export type Area = { label: string; center: Point; radiusMiles: number | null; state: string | null }

/** What a list or map of businesses asks for, with its place found. */
export type Search = {
  words: string[]
  area: Area | null
  /** The text itself named the area: what matches the text is found wherever it is, and so is what lies in the area. */
  areaOrText: boolean
  bbox: BoundingBox | null
  type: BusinessType | null
  state: string | null
  verified: boolean
}

export type Filters = {
  q?: string | undefined
  near?: string | undefined
  radius?: number | undefined
  bbox?: [number, number, number, number] | undefined
  type?: BusinessType | undefined
  state?: string | undefined
  verified?: boolean | undefined
}

/** @throws AppError invalid_input when `near` names no place we know */
export function toSearch(filters: Filters): Search {
  const radiusMiles = filters.radius ?? defaultRadiusMiles
  const near = filters.near ? nearArea(filters.near, radiusMiles, 'near') : null
  const named = !near && filters.q ? placeNamedBy(filters.q) : null
  return {
    words: searchWords(filters.q ?? ''),
    area: near ?? (named && areaAround(named, radiusMiles)),
    areaOrText: named !== null,
    bbox: filters.bbox ? toBox(filters.bbox) : null,
    type: filters.type ?? null,
    state: filters.state ?? null,
    verified: filters.verified ?? false,
  }
}

/** From where distances are measured, if from anywhere. */
export const centerOf = (search: Search): Point | null => (search.area && search.area.radiusMiles !== null ? search.area.center : null)

/** Around "latitude,longitude", or a place that we know. @throws AppError invalid_input about `field` */
export function nearArea(near: string, radiusMiles: number, field: string): Area {
  const center = pointOf(near, field)
  if (center) return { label: 'Chosen point', center, radiusMiles, state: null }
  const place = resolvePlace(near)
  if (!place) throw invalidField(field, 'We do not know this place. Enter a city and state, or a ZIP code')
  return areaAround(place, radiusMiles)
}

/** Of "latitude,longitude"; null of any other text. @throws AppError invalid_input about `field` for a point that is not on Earth */
function pointOf(text: string, field: string): Point | null {
  const point = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text)
  if (!point) return null
  const center = { latitude: Number(point[1]), longitude: Number(point[2]) }
  if (Math.abs(center.latitude) > 90 || Math.abs(center.longitude) > 180) {
    throw invalidField(field, 'A latitude is at most 90 and a longitude at most 180 degrees')
  }
  return center
}

function areaAround(place: Place, radiusMiles: number): Area {
  const { label, latitude, longitude, state } = place
  const center = { latitude, longitude }
  return place.kind === 'state' ? { label, center, radiusMiles: null, state } : { label, center, radiusMiles, state: null }
}

/** From this size on a bare word is taken for the city: "Denver", but not "Star" (Idaho) or "Bloom" (Kansas). */
const bareCityPopulation = 20_000

function placeNamedBy(text: string): Place | null {
  const place = resolvePlace(text)
  if (place?.kind !== 'city') return place
  const isBareName = findCity(text, place.state) !== null
  return !isBareName || (place.population ?? 0) >= bareCityPopulation ? place : null
}

const toBox = ([west, south, east, north]: [number, number, number, number]): BoundingBox => {
  if (south > north) throw invalidField('bbox', 'Must be west,south,east,north in degrees')
  return { west, south, east, north }
}
