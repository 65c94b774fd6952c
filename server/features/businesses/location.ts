import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Precision } from '../../../contracts/businesses.ts'
import { exactnessOf } from '../../../contracts/place-name.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { Point } from '../../kernel/geo/distance.ts'
import { cityCenter, cityOfZip, findCity, type Place } from '../../kernel/geo/gazetteer.ts'
import { normalizeName } from '../../kernel/geo/place-names.ts'
import { resolvePlace, suggestPlaces } from '../../kernel/geo/place-search.ts'

export type Pin = Point & { precision: Precision }

/** What a typed location ("Denver, CO") says about a place, as far as it says it without doubt. */
export type TypedLocation = {
  location: string
  city: string | null
  state: string | null
  country: string | null
  zip: string | null
  pin: Pin | null
}

/** A bare city name is taken for the largest city of that name only when it has this many times the people of the next. */
const clearlyLarger = 10

/**
 * What is not known here is kept and shown as it was typed. A farm has no ZIP code, not even in the table.
 * @throws AppError invalid_input about `location` when it gives away more of a farm than its city
 */
export function readLocation(text: string, type: BusinessType): TypedLocation {
  const read = readAny(text, type)
  // A ZIP code was read as its city; a number that is left is that of a house or a road.
  if (type === 'farm' && (/\d/.test(read.location) || exactnessOf(text) !== null)) {
    throw invalidField('location', 'Give the city and state of a farm, without its street')
  }
  return type === 'farm' ? { ...read, zip: null } : read
}

function readAny(text: string, type: BusinessType): TypedLocation {
  const abroad = readAbroad(text)
  if (abroad) return { location: text, zip: null, pin: null, ...abroad }
  const place = resolvePlace(text)
  if (!place || !isMeant(place, text)) return { location: text, city: null, state: null, country: null, zip: null, pin: null }
  const { state, latitude, longitude } = place
  if (place.kind === 'state') return { location: text, city: null, state, country: 'US', zip: null, pin: null }
  if (place.kind === 'city') {
    return { location: place.label, city: place.name, state, country: 'US', zip: null, pin: { latitude, longitude, precision: 'city' } }
  }
  const city = cityOfZip(place)
  const center = cityCenter(city, state)
  // A farm is never shown more exactly than its city.
  const pin: Pin | null = type === 'farm' ? center && { ...center, precision: 'city' } : { latitude, longitude, precision: 'zip' }
  return { location: `${city}, ${state}`, city, state, country: 'US', zip: place.name, pin }
}

/** "Portland" may be Maine's; "Denver" is hardly ever Indiana's. */
function isMeant(place: Place, text: string): boolean {
  if (place.kind !== 'city' || findCity(text, place.state) === null) return true
  const name = normalizeName(text)
  const [first, second] = suggestPlaces(text, 20)
    .filter((candidate) => candidate.kind === 'city' && normalizeName(candidate.name) === name)
    .map((candidate) => candidate.population ?? 0)
  return first !== undefined && first >= clearlyLarger * (second ?? 0)
}

const provinces: Record<string, string> = {
  alberta: 'AB',
  'british columbia': 'BC',
  manitoba: 'MB',
  'new brunswick': 'NB',
  'newfoundland and labrador': 'NL',
  'nova scotia': 'NS',
  'northwest territories': 'NT',
  nunavut: 'NU',
  ontario: 'ON',
  'prince edward island': 'PE',
  quebec: 'QC',
  saskatchewan: 'SK',
  yukon: 'YT',
}
const provinceCodes = new Set(Object.values(provinces))

/** Canada's provinces and Germany have no gazetteer here, but their laws on age differ. */
function readAbroad(text: string): { city: string | null; state: string | null; country: string } | null {
  const parts = text.split(',').map((part) => part.trim())
  const last = parts.at(-1) ?? ''
  const city = parts.length > 1 ? (parts[0] ?? null) : null
  if (/^(germany|deutschland)$/i.test(last)) return { city, state: null, country: 'DE' }
  const isCanada = /^canada$/i.test(last)
  const region = isCanada ? (parts.at(-2) ?? '') : last
  const province = provinces[normalizeName(region)] ?? (provinceCodes.has(region.toUpperCase()) ? region.toUpperCase() : null)
  if (province !== null && parts.length > 1)
    return { city: parts.length > (isCanada ? 2 : 1) ? city : null, state: province, country: 'CA' }
  return isCanada ? { city, state: null, country: 'CA' } : null
}
