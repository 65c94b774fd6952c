import type { Precision } from '#contracts/businesses.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import type { Point } from '#server/kernel/geo/distance.ts'
import { cityCenter, cityOfZip, findCity, findZip } from '#server/kernel/geo/gazetteer.ts'
import { compactName } from '#server/kernel/geo/place-names.ts'
import { isInState } from '#server/kernel/geo/state-shapes.ts'
import { findState } from '#server/kernel/geo/us-states.ts'
import { tidyCity, tidyStreet } from './read-records.ts'

export type WrittenPlace = {
  /** A valid two-letter state code. */
  state: string
  street: string
  city: string
  county: string
  zip: string
  latitude: string
  longitude: string
  geo_precision: string
}

type Pinned = Point & { precision: Precision }

type Place = {
  street: string | null
  city: string | null
  county: string | null
  zip: string | null
  pin: Pinned | null
}

export type PlaceNote =
  | 'address repaired'
  | 'ZIP code of another state dropped'
  | 'coordinates outside the state replaced'
  | 'coordinates unreadable'

/** Washington's placeholder for a license without premises. */
const noPremises = new Set(['retail title certificate'])

/** Parses a license's location, makes unambiguous repairs, and rejects a coordinate outside the state. */
export function readPlace(row: WrittenPlace, note: (note: PlaceNote) => void): Place {
  const county = row.county ? tidyCity(row.county) : null
  const nowhere: Place = { street: null, city: null, county, zip: null, pin: null }
  if (noPremises.has(row.street.toLowerCase())) return nowhere
  const written = repairAddress(row, note)
  const zip = zipInState(written.zip, row.state, note)
  const zipPlace = zip ? findZip(zip) : null
  const street = written.street ? tidyStreet(written.street) : null
  const known = { street, zip, city: written.city ?? (zipPlace ? cityOfZip(zipPlace) : null) ?? cityOfCounty(county, row.state) }
  // A coordinate without an address is either that of the whole state or a mistake.
  if (!known.street && !known.zip && !known.city) return nowhere
  const pin = readPin(row, known, note)
  // A town that matches neither the gazetteer nor a ZIP code may be anything ("Bay One", a person's name).
  if (!zipPlace && known.city && !findCity(known.city, row.state)) return pin ? { ...known, city: null, county, pin } : nowhere
  return { ...known, county, pin }
}

function cityOfCounty(county: string | null, state: string): string | null {
  const name = /^(.+) (?:Municipality|City and Borough)$/i.exec(county ?? '')?.[1]
  return name ? (findCity(name, state)?.name ?? null) : null
}

type Address = { street: string | null; city: string | null; zip: string }

function repairAddress(row: WrittenPlace, note: (note: PlaceNote) => void): Address {
  const { state } = row
  let street: string | null = row.street || null
  let city: string | null = row.city || null
  let zip = row.zip

  // "Vt 05301", "Lake in the Hills IL 60156", "Physicians Ln, Maryland 20850, USA": the state and ZIP code are in the city column.
  const ending = /^(?:(.+?)[\s,]+)?([a-z]{2}|[a-z]+(?: [a-z]+)?)[\s,]+(\d{5})(?:-\d{4})?(?:,? usa)?$/i.exec(row.city)
  if (ending && isStateItself(ending[2] as string, state)) {
    zip ||= ending[3] as string
    city = ending[1] && findCity(ending[1], state) ? ending[1] : null
  } else if (city && isStateItself(city.replace(/,? usa$/i, ''), state) && !findCity(city, state)) {
    city = null
    if (street && isStateItself(street, state)) street = null
  }
  // "Salisbury, UK" for a license in Vermont: someone geocoded the town and took the first result. Use Vermont's town.
  else if (city?.includes(',')) {
    const town = city.slice(0, city.indexOf(',')).trim()
    if (street === city) street = null
    city = findCity(town, state) ? town : null
  }
  // "Suite 102": the second address line is in the city column.
  else if (city && !findCity(city, state) && isNoTown.test(city)) {
    if (street && isUnit.test(city) && !street.includes(city)) street = `${street}, ${city}`
    city = null
  }
  // The town is in the street column.
  if (street && !/\d/.test(street)) {
    const town = findCity(street, state)
    if (town || compactName(street) === compactName(city ?? '')) {
      city ??= town?.name ?? null
      street = null
    }
  }
  if (street !== (row.street || null) || city !== (row.city || null)) note('address repaired')
  return { street, city: city ? (findCity(city, state)?.name ?? tidyCity(city)) : null, zip }
}

const isUnit = /^\(?(suites?|ste|st|units?|bldg|building|apt|apartment|floor|space|lot|room)\b|^#|^\w{1,3}$/i
const isNoTown =
  /^\(?(suites?|ste|units?|bldg|building|apt|apartment|space|lot|room|lower|upper|ground|first|second|third)\b|^#|\d|\b(floor|level|portion|building|space|shop)\b|^\w{1,2}$/i

function isStateItself(text: string, code: string): boolean {
  const state = findState(code)
  const name = foldText(text)
    .replace(/[^a-z ]/g, '')
    .trim()
  return state !== null && (name === state.code.toLowerCase() || name === state.name.toLowerCase())
}

/** Five digits; restores leading zeros lost in a spreadsheet. A ZIP code of a neighboring state is kept near the border. */
function zipInState(text: string, state: string, note: (note: PlaceNote) => void): string | null {
  const digits = /^(\d{3,5})(?:-\d{4})?$/.exec(text)?.[1]?.padStart(5, '0')
  if (digits === undefined) return null
  const place = findZip(digits)
  if (place && place.state !== state && !isInState(place.latitude, place.longitude, state)) {
    note('ZIP code of another state dropped')
    return null
  }
  return digits
}

type Known = { street: string | null; city: string | null; zip: string | null }

function readPin(row: WrittenPlace, known: Known, note: (note: PlaceNote) => void): Pinned | null {
  const center = centerOf(known, row.state)
  if (row.latitude === '' && row.longitude === '') return center
  const point = { latitude: toDegrees(row.latitude), longitude: toDegrees(row.longitude) }
  if (!Number.isFinite(point.latitude) || !Number.isFinite(point.longitude)) {
    note('coordinates unreadable')
    return center
  }
  if (!isInState(point.latitude, point.longitude, row.state)) {
    note('coordinates outside the state replaced')
    return center
  }
  const precision = row.geo_precision === 'zip' || row.geo_precision === 'city' ? row.geo_precision : 'premise'
  // Without a street, a coordinate is only that of the ZIP code or city, not of a building.
  const finest = known.street ? 'premise' : known.zip ? 'zip' : 'city'
  return { ...point, precision: coarser(precision, finest) }
}

const toDegrees = (text: string) => (/^[+-]?\d+(\.\d*)?$|^[+-]?\.\d+$/.test(text) ? Number(text) : Number.NaN)

const order: readonly Precision[] = ['premise', 'zip', 'city']
const coarser = (a: Precision, b: Precision): Precision => order[Math.max(order.indexOf(a), order.indexOf(b))] as Precision

function centerOf({ zip, city }: Known, state: string): Pinned | null {
  const zipPlace = zip ? findZip(zip) : null
  if (zipPlace) return { latitude: zipPlace.latitude, longitude: zipPlace.longitude, precision: 'zip' }
  const center = city ? cityCenter(city, state) : null
  return center && { ...center, precision: 'city' }
}
