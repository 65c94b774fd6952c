import type { BusinessType } from '#contracts/business-types.ts'
import type { Precision } from '#contracts/businesses.ts'
import { exactnessOf } from '#contracts/place-name.ts'
import type { Tx } from '#server/db/connect.ts'
import { asLocked } from '#server/db/locked.ts'
import { invalidField } from '#server/kernel/errors.ts'
import type { Point } from '#server/kernel/geo/distance.ts'
import { cityCenter, cityOfZip, findCity, type Place } from '#server/kernel/geo/gazetteer.ts'
import { normalizeName } from '#server/kernel/geo/place-names.ts'
import { findStateByText, resolvePlace, suggestPlaces, withCountry } from '#server/kernel/geo/place-search.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { requireLicensedState } from './listing-state.ts'
import { searchTextOf } from './search.ts'

export type Pin = Point & { precision: Precision }

export const placeColumns = [
  'location',
  'address',
  'city',
  'state',
  'country',
  'zip',
  'latitude',
  'longitude',
  'geo_precision',
  'pin_latitude',
  'pin_longitude',
  'pin_precision',
] as const

export const pinColumns = (pin: Pin | null) => ({
  latitude: pin?.latitude ?? null,
  longitude: pin?.longitude ?? null,
  geo_precision: pin?.precision ?? null,
  pin_latitude: pin?.latitude ?? null,
  pin_longitude: pin?.longitude ?? null,
  pin_precision: pin?.precision ?? null,
})

/** The parts of a typed location ("Denver, CO") that are unambiguous. */
export type TypedLocation = {
  location: string
  city: string | null
  state: string | null
  country: string | null
  zip: string | null
  pin: Pin | null
}

/** A bare city name means the largest city of that name only if it has this many times the population of the next one. */
const clearlyLarger = 10

/**
 * Unknown places are stored and shown as typed. A farm's ZIP code is never stored.
 * @throws AppError invalid_input about `location` if it reveals more of a farm than its city
 */
export function readLocation(text: string, type: BusinessType): TypedLocation {
  const read = readAny(text, type)
  // A ZIP code was already reduced to its city, so any remaining number is a house or road number.
  if (type === 'farm' && (/\d/.test(read.location) || exactnessOf(text) !== null)) {
    throw invalidField('location', 'Enter the farm’s city and state, without a street')
  }
  return type === 'farm' ? { ...read, zip: null } : read
}

function readAny(text: string, type: BusinessType): TypedLocation {
  const abroad = readAbroad(text)
  if (abroad) return { location: text, zip: null, pin: null, ...abroad }
  const place = resolvePlace(text)
  if (!place || !isMeant(place, text)) return { location: text, city: null, zip: null, pin: null, ...stateOf(text) }
  const { state, latitude, longitude } = place
  if (place.kind === 'state') return { location: text, city: null, state, country: 'US', zip: null, pin: null }
  if (place.kind === 'city') {
    return { location: place.label, city: place.name, state, country: 'US', zip: null, pin: { latitude, longitude, precision: 'city' } }
  }
  const city = cityOfZip(place)
  const center = cityCenter(city, state)
  // A farm's location is never more precise than its city.
  const pin: Pin | null = type === 'farm' ? center && { ...center, precision: 'city' } : { latitude, longitude, precision: 'zip' }
  return { location: `${city}, ${state}`, city, state, country: 'US', zip: place.name, pin }
}

/**
 * Reads the state even if the gazetteer doesn't have the city, because a business's laws and licenses depend on the state. "Toronto, CA"
 * and "Berlin, DE" may be abroad.
 */
function stateOf(text: string): { state: string | null; country: string | null } {
  const parts = text.replace(withCountry, '').split(',')
  const name = (parts.length > 1 && parts.at(-1)?.trim()) || ''
  const state = /^(ca|de)$/i.test(name) ? null : findStateByText(name)
  return { state: state?.code ?? null, country: state && 'US' }
}

/** "Portland" may mean the one in Maine; "Denver" hardly ever means the one in Indiana. */
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

/** Canada and Germany have no gazetteer here, but their age laws differ. */
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

type BusinessPlaceInput = TypedLocation & { address: string | null; phone: string | null }

/**
 * Sets a business's place, which is that of its main location, and marks the changed fields, so that register imports leave them alone.
 * `readLocation` ensures that a farm's place is no more precise than its city.
 * @returns the names of the changed fields
 * @throws AppError invalid_input about `location` if it leaves the states of the business's licenses
 */
export async function setBusinessPlace(tx: Tx, businessId: string, place: BusinessPlaceInput, now: Date): Promise<string[]> {
  const before = await tx
    .selectFrom('businesses')
    .select([
      'name',
      'description',
      'location',
      'state',
      'country',
      'address',
      'phone',
      'pin_latitude',
      'pin_longitude',
      'pin_precision',
      'edited_fields',
    ])
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  await requireLicensedState(tx, asLocked('businesses', businessId), before, place)
  const { pin, ...columns } = place
  const isMoved =
    before.location !== place.location ||
    before.pin_latitude !== (pin?.latitude ?? null) ||
    before.pin_longitude !== (pin?.longitude ?? null) ||
    before.pin_precision !== (pin?.precision ?? null)
  const edited = [
    ...(isMoved ? ['location'] : []),
    ...(before.address !== place.address ? ['address'] : []),
    ...(before.phone !== place.phone ? ['phone'] : []),
  ]
  if (edited.length === 0) return []
  await tx
    .updateTable('businesses')
    .set({
      ...columns,
      ...(isMoved ? pinColumns(pin) : {}),
      search_text: searchTextOf({ name: before.name, description: before.description, location: place.location }),
      edited_fields: [...new Set([...before.edited_fields, ...edited])].sort(),
      updated_at: now,
    })
    .where('id', '=', businessId)
    .execute()
  await markForSearch(tx, 'business', [businessId])
  return edited
}
