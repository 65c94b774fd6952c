import { distanceMiles } from './distance.ts'
import {
  cityNumber,
  cityOfZip,
  cityPlace,
  findCity,
  findZip,
  firstZipFrom,
  nameIndex,
  type Place,
  statePlace,
  zipCode,
  zipPlace,
} from './gazetteer.ts'
import { normalizeName } from './place-names.ts'
import { findState, type UsState, usStates } from './us-states.ts'

/** Turns typed text into places: a single place (`resolvePlace`) or ranked suggestions (`suggestPlaces`). */

/** A city this large ranks above a state with the same name: "New York" is the city, "Washington" the state. */
const CITY_BEFORE_STATE = 1_000_000
/** A shorter text is one edit away from the start of too many names. */
const MIN_TYPO_LENGTH = 4
const MAX_STATES = 2
/** Longer than any place with its state. `resolvePlace` finds nothing in a longer text, and `suggestPlaces` cuts it off. */
const MAX_TEXT_LENGTH = 80

/** The country after a place, as in "Denver, CO, USA". */
export const withCountry = /[\s,]+(?:u\.?s\.?a\.?|united states)[\s.]*$/i

const statesByName = new Map(usStates.map((state) => [normalizeName(state.name), state]))

/**
 * The single place that a complete text names, or null: `80202`, `Denver`, `denver co`, `Denver, Colorado`, `Denver, CO 80202`, `CO`,
 * `Colorado`. A city without a state is the most populous one with that name. Use `suggestPlaces` for partial and misspelled names.
 */
export function resolvePlace(text: string): Place | null {
  if (text.length > MAX_TEXT_LENGTH) return null
  const zip = /(?<!\d)(\d{5})(?:-\d{4})?\s*$/.exec(text)
  const zipMatch = zip && findZip(zip[1]!)
  if (zipMatch) return zipMatch
  const parts = text
    .slice(0, zip?.index)
    .replace(withCountry, '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) return null
  // "Denver, Denver County, Colorado": ignores anything between the city and its state.
  if (parts.length > 1) {
    const state = findStateByText(last)
    return state && findCity(first, state.code)
  }
  return cityAndState(first) ?? cityOrState(first)
}

/** Cities below this share of the population of the largest one with their name are ignored: "Denver" never means Denver, NC. */
const NAMESAKE_SHARE = 1 / 4

/** The cities that a name without a state may mean, the most populous first. Empty if the text names a single place or none. */
export function namesakesOf(text: string): Place[] {
  if (resolvePlace(text)?.kind !== 'city') return []
  const people = ({ population = 0 }: Place) => population
  const cities = usStates.flatMap(({ code }) => findCity(text, code) ?? []).sort((a, b) => people(b) - people(a))
  const likely = cities.filter((city) => people(city) >= people(cities[0]!) * NAMESAKE_SHARE)
  return likely.length > 1 ? likely : []
}

/** Replaces a ZIP code with its city: "80202" and "Denver, CO 80202" become "Denver, CO". Other text is unchanged. */
export function withoutZip(text: string): string {
  const [, rest = '', digits] = /^(.*?)[\s,]*(\d{5})(?:-\d{4})?\s*$/.exec(text) ?? []
  const zip = digits === undefined ? null : findZip(digits)
  if (!zip) return text
  if (rest === '') return `${cityOfZip(zip)}, ${zip.state}`
  const place = resolvePlace(rest)
  // "Berlin 10115": the ZIP code is in New York, but the city isn't.
  return place?.state === zip.state ? place.label : text
}

/** A place this close to a ZIP code, or in its state, is where the ZIP code is, not part of a name. */
const PLACE_NEAR_ZIP_MILES = 50
const toPlace = 'near(?: me)?|in|around|at|close to'
const toZip = new RegExp(`(?:(?:^|[\\s,]+)(?:${toPlace}|zip(?: ?code)?))+[\\s,:]*$`, 'i')
const subjectAndPlace = new RegExp(`^(.*?)(?:^|[\\s,]+)(?:${toPlace})\\s+(.+)$`, 'i')

/**
 * What a text that ends with this ZIP code names besides a place: "Green Dragon" in "Green Dragon, Denver, CO 80202" and "Green Dragon near
 * 80202". Empty if the rest is the ZIP code's city or an address.
 */
export function textBesideZip(text: string, zip: Place): string {
  const parts = text
    .replace(/\d{5}(?:-\d{4})?\s*$/, '')
    .replace(toZip, '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const placeAt = parts.findIndex((_, i) => isWhereZipIs(parts.slice(i).join(', '), zip))
  const rest = parts.slice(0, placeAt === -1 ? undefined : placeAt).join(', ')
  const [, subject, place] = subjectAndPlace.exec(rest) ?? []
  const name = subject !== undefined && place !== undefined && isWhereZipIs(place, zip) ? subject : rest
  return /^\d/.test(name) ? '' : name
}

function isWhereZipIs(text: string, zip: Place): boolean {
  const place = resolvePlace(text)
  if (place?.state === zip.state) return true
  // "Portland 04101": without a state, the city is another, larger one.
  return [place, findCity(text, zip.state)].some((near) => near?.kind === 'city' && distanceMiles(near, zip) <= PLACE_NEAR_ZIP_MILES)
}

/**
 * Completions of a text, best first. Digits find only ZIP codes. Other text finds cities and states by the prefix of their name (cities by
 * population), then cities by the prefix of a later word. If there are none, it finds cities one edit away.
 */
export function suggestPlaces(text: string, limit = 8): Place[] {
  const digits = /^\s*(\d{1,5})\s*$/.exec(text)?.[1]
  if (digits !== undefined) return zipsFrom(digits, limit)
  const { names, inState, complete } = readText(text.slice(0, MAX_TEXT_LENGTH))
  if (names.length === 0) return []

  const found = new Set<number>()
  for (const name of names) collect(found, `\n${name}`, 1, inState, limit)
  for (const { name, states } of complete) for (const number of findCitiesNamed(name, states)) found.add(number)
  let numbers = [...found].sort((a, b) => a - b).slice(0, limit)
  if (numbers.length < limit) {
    const inner = new Set<number>()
    for (const name of names) collect(inner, ` ${name}`, 0, inState, limit)
    numbers = [...new Set([...numbers, ...inner])].slice(0, limit)
  }
  const states = inState === null ? statesFrom(names[0]!) : []
  if (numbers.length === 0 && states.length === 0) {
    // "denvr co": the longest state name at the end of the text is taken literally.
    const exactMatch = complete.find(({ exact }) => exact)
    numbers = exactMatch ? oneEditAway(`${exactMatch.name},`, exactMatch.states, limit) : oneEditAway(names[0]!, inState, limit)
  }
  return merge(numbers.map(cityPlace), states.map(statePlace), names[0]!, limit)
}

type Readings = {
  /** Prefixes of a name: with abbreviations expanded, and as typed if that differs. */
  names: string[]
  /** Lowercase postal codes of states that match the words after the comma. Null if there are none. */
  inState: Set<string> | null
  /** Without a comma: a complete name followed by the start of a state, or a whole one (`exact`). The longest state comes first. */
  complete: { name: string; states: Set<string>; exact: boolean }[]
}

function readText(text: string): Readings {
  const comma = text.indexOf(',')
  if (comma !== -1) {
    const name = normalizeName(text.slice(0, comma))
    const state = normalizeName(text.slice(comma + 1).replace(/\d.*$/, ''))
    return { names: name === '' ? [] : [name], inState: state === '' ? null : findStatesByPrefix(state), complete: [] }
  }
  const name = normalizeName(text)
  // "st" may be the start of Saint Paul or Stockton.
  const typed = text
    .toLowerCase()
    .trim()
    .replace(/[^a-z ]+/g, '')
  const names = [...new Set([name, typed])].filter((beginning) => beginning !== '')
  const words = name.split(' ')
  const complete: Readings['complete'] = []
  for (let at = 1; at < words.length; at++) {
    const tail = words.slice(at).join(' ')
    const states = findStatesByPrefix(tail)
    if (states.size > 0) complete.push({ name: words.slice(0, at).join(' '), states, exact: findStateByText(tail) !== null })
  }
  return { names, inState: null, complete }
}

function findStatesByPrefix(text: string): Set<string> {
  const codes = new Set<string>()
  for (const [name, { code }] of statesByName) {
    if (name.startsWith(text) || code.toLowerCase().startsWith(text)) codes.add(code.toLowerCase())
  }
  return codes
}

function findCitiesNamed(name: string, states: Iterable<string>): number[] {
  return [...states].map((state) => cityNumber(name, state)).filter((number) => number !== undefined)
}

/** Adds the cities of the pattern's first `limit` occurrences in the index. */
function collect(found: Set<number>, pattern: string, skip: number, states: Set<string> | null, limit: number): void {
  const { haystack, cities } = nameIndex()
  let hits = 0
  for (let at = haystack.indexOf(pattern); at !== -1 && hits < limit; at = haystack.indexOf(pattern, at + 1)) {
    if (states !== null && !states.has(stateAt(haystack, at + skip))) continue
    found.add(cities[entryAt(at + skip)]!)
    hits++
  }
}

function stateAt(haystack: string, at: number): string {
  const comma = haystack.indexOf(',', at)
  return haystack.slice(comma + 1, comma + 3)
}

function entryAt(position: number): number {
  const { starts } = nameIndex()
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= position) low = middle
    else high = middle
  }
  return low
}

function statesFrom(name: string): UsState[] {
  const exact = findStateByText(name)
  const beginning = name.length < 2 ? [] : usStates.filter((state) => normalizeName(state.name).startsWith(name))
  return [...new Set(exact ? [exact, ...beginning] : beginning)].slice(0, MAX_STATES)
}

/**
 * States come after the first city, or at the top for an exact match, unless a city with at least `CITY_BEFORE_STATE` people has the same
 * name.
 */
function merge(cities: Place[], states: Place[], name: string, limit: number): Place[] {
  const meant = states[0] && findStateByText(name) ? states[0] : null
  const first = cities[0]
  const cityFirst = first !== undefined && normalizeName(first.name) === name && (first.population ?? 0) >= CITY_BEFORE_STATE
  const at = meant !== null && !cityFirst ? 0 : 1
  return [...cities.slice(0, at), ...states, ...cities.slice(at)].slice(0, limit)
}

function zipsFrom(digits: string, limit: number): Place[] {
  const span = 10 ** (5 - digits.length)
  const from = Number(digits) * span
  const places: Place[] = []
  for (let number = firstZipFrom(from); places.length < limit && (zipCode(number) ?? Infinity) < from + span; number++) {
    places.push(zipPlace(number))
  }
  return places
}

export function findStateByText(text: string): UsState | null {
  const code = text.replaceAll('.', '')
  return (code.length === 2 ? findState(code) : null) ?? statesByName.get(normalizeName(text)) ?? null
}

/** "denver co", "Salt Lake City Utah": a name followed by a state without a comma. */
function cityAndState(text: string): Place | null {
  const words = text.split(/\s+/)
  for (let at = words.length - 1; at > 0; at--) {
    const state = findStateByText(words.slice(at).join(' '))
    const place = state && findCity(words.slice(0, at).join(' '), state.code)
    if (place) return place
  }
  return null
}

function cityOrState(text: string): Place | null {
  const state = findStateByText(text)
  const { haystack, cities } = nameIndex()
  const at = haystack.indexOf(`\n${normalizeName(text)},`)
  const city = at === -1 ? null : cityPlace(cities[entryAt(at + 1)]!)
  if (state && !((city?.population ?? 0) >= CITY_BEFORE_STATE)) return statePlace(state)
  return city
}

/** Cities whose name starts with the pattern after one letter is added, removed, changed or swapped with its neighbor. */
function oneEditAway(pattern: string, states: Set<string> | null, limit: number): number[] {
  if (pattern.length < MIN_TYPO_LENGTH) return []
  const { haystack, starts, cities } = nameIndex()
  const found = new Set<number>()
  for (let entry = 0; entry < starts.length && found.size < limit; entry++) {
    const start = starts[entry]!
    if (startsWithTypo(haystack, start, pattern) && (states === null || states.has(stateAt(haystack, start)))) found.add(cities[entry]!)
  }
  return [...found]
}

/** Whether the text at `at` starts with the pattern after one edit. Reaching the next name takes two: past a comma and a line break. */
function startsWithTypo(text: string, at: number, pattern: string): boolean {
  const same = sameLength(text, at, pattern, 0)
  const rest = (of: number, from: number) => of + sameLength(text, at + from, pattern, of) >= pattern.length
  if (rest(same + 1, same + 1) || rest(same + 1, same) || rest(same, same + 1)) return true
  const swapped = text.charCodeAt(at + same) === pattern.charCodeAt(same + 1) && text.charCodeAt(at + same + 1) === pattern.charCodeAt(same)
  return swapped && rest(same + 2, same + 2)
}

/** Length of the common prefix of the text from `at` and the pattern from `of`. */
function sameLength(text: string, at: number, pattern: string, of: number): number {
  let length = 0
  while (of + length < pattern.length && text.charCodeAt(at + length) === pattern.charCodeAt(of + length)) length++
  return length
}
