import { readFileSync } from 'node:fs'
import type { BoundingBox, Point } from './distance.ts'
import { compactName, normalizeName, placeSlug } from './place-names.ts'
import { stateBox } from './state-shapes.ts'
import { findState, type UsState, usStates } from './us-states.ts'

/**
 * The US gazetteer: 35,000 cities, 41,000 ZIP codes and 56 states, offline, from `data/places-us.csv`
 * (`scripts/build-gazetteer.ts` makes it). It is read once, on the first question, in about a tenth of a second;
 * `loadGazetteer` does so ahead of time. Lines are kept as text and taken apart only when a place is asked for.
 */

export type Place = {
  /** `denver-co` (a lesser namesake: `oakland-pa-susquehanna`), `80202`, `colorado`: what a URL carries, for `findPlace`. */
  id: string
  kind: 'city' | 'zip' | 'state'
  /** `Denver`, `80202`, `Colorado`. */
  name: string
  /** Postal code of the state: `CO`. */
  state: string
  /** For people: `Denver, CO`, `Denver, CO 80202`, `Colorado`. */
  label: string
  latitude: number
  longitude: number
  /** The county of a city or ZIP code where it is known, without the word "County". */
  county?: string
  /** Of cities; unknown for most below 500 inhabitants. */
  population?: number
  /** Of states. */
  boundingBox?: BoundingBox
}

type Gazetteer = {
  text: string
  /** Where the line of each city begins; the most populous is number 0. */
  cityLines: Int32Array
  zipCodes: Int32Array
  zipLines: Int32Array
  /** Compact name and state → number of the most populous city called so. */
  cityNumbers: Map<string, number>
  /** For the few hundred names that a state has more than once: all of them, the most populous first. */
  namesakes: Map<string, number[]>
  names: NameIndex
}

/**
 * All names in one string, `\nsaint louis,mo\nkansas city,mo…`, the most populous city first: a plain substring search then
 * finds the largest matches first, which is faster than a tree and needs no sorting.
 */
export type NameIndex = {
  haystack: string
  /** Where each name begins (after the line break). */
  starts: Int32Array
  /** The city that each name belongs to; a city can have several. */
  cities: Int32Array
}

const FILE = new URL('../../../data/places-us.csv', import.meta.url)
const HEADER = 'zip,city,state,county,latitude,longitude,population,also'

let loaded: Gazetteer | null = null

/** Reads the file now, so that the first visitor does not wait for it. Safe to repeat. */
export function loadGazetteer(): void {
  gazetteer()
}

/** `80202`, `80202-1234`; spaces around it do not matter. */
export function findZip(zip: string): Place | null {
  const digits = /^\s*(\d{5})(?:-\d{4})?\s*$/.exec(zip)?.[1]
  if (digits === undefined) return null
  const number = firstZipFrom(Number(digits))
  return gazetteer().zipCodes[number] === Number(digits) ? zipPlace(number) : null
}

/** By any usual spelling; `state` is a postal code. Of namesakes in one state, the most populous. */
export function findCity(name: string, state: string): Place | null {
  const number = cityNumber(name, state)
  return number === undefined ? null : cityPlace(number)
}

/** Where a city's pin goes when nothing finer is known or may be shown. */
export function cityCenter(city: string, state: string): Point | null {
  const place = findCity(city, state)
  return place && { latitude: place.latitude, longitude: place.longitude }
}

/** The place of a `Place.id`, as a URL carries it. */
export function findPlace(id: string): Place | null {
  if (/^\d{5}$/.test(id)) return findZip(id)
  const state = usStates.find((candidate) => stateSlug(candidate) === id)
  if (state) return statePlace(state)
  const words = id.split('-')
  for (let at = words.length - 1; at > 0; at--) {
    if (!findState(words[at]!)) continue
    const key = cityKey(words.slice(0, at).join(' '), words[at]!)
    const numbers = gazetteer().namesakes.get(key) ?? [gazetteer().cityNumbers.get(key) ?? -1]
    const match = numbers.find((number) => number >= 0 && cityPlace(number).id === id)
    if (match !== undefined) return cityPlace(match)
  }
  return null
}

export function statePlace(state: UsState): Place {
  const { name, code, latitude, longitude } = state
  const box = stateBox(code)
  return { id: stateSlug(state), kind: 'state', name, state: code, label: name, latitude, longitude, ...(box && { boundingBox: box }) }
}

/** For searching: the number of what `findCity` finds. */
export function cityNumber(name: string, state: string): number | undefined {
  return gazetteer().cityNumbers.get(cityKey(name, state))
}

/** For searching: the cities by number, the most populous first. */
export function cityPlace(number: number): Place {
  const { text, cityLines, namesakes } = gazetteer()
  const [, name, state, county, latitude, longitude, population] = lineAt(text, cityLines[number]!)
  const lesser = (namesakes.get(cityKey(name!, state!))?.indexOf(number) ?? 0) > 0
  const slug = placeSlug(name!, state!)
  return {
    id: lesser ? `${slug}-${placeSlug(county!, '').slice(0, -1)}` : slug,
    kind: 'city',
    name: name!,
    state: state!,
    label: lesser ? `${name}, ${state} (${countyLabel(county!, state!)})` : `${name}, ${state}`,
    latitude: Number(latitude),
    longitude: Number(longitude),
    ...(county && { county }),
    ...(population && { population: Number(population) }),
  }
}

/** For searching: the ZIP codes by number, in order. */
export function zipPlace(number: number): Place {
  const { text, zipLines } = gazetteer()
  const [zip, city, state, county, latitude, longitude] = lineAt(text, zipLines[number]!)
  return {
    id: zip!,
    kind: 'zip',
    name: zip!,
    state: state!,
    label: `${city}, ${state} ${zip}`,
    latitude: Number(latitude),
    longitude: Number(longitude),
    ...(county && { county }),
  }
}

/** The post office's city of a ZIP code; its label is "Denver, CO 80202". */
export const cityOfZip = (zip: Place): string => zip.label.slice(0, zip.label.lastIndexOf(','))

/** The number of the first ZIP code that is not below the given one. */
export function firstZipFrom(zip: number): number {
  const { zipCodes } = gazetteer()
  let low = 0
  let high = zipCodes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (zipCodes[middle]! < zip) low = middle + 1
    else high = middle
  }
  return low
}

export function zipCode(number: number): number | undefined {
  return gazetteer().zipCodes[number]
}

export function nameIndex(): NameIndex {
  return gazetteer().names
}

function gazetteer(): Gazetteer {
  loaded ??= parse(readFileSync(FILE, 'utf8'))
  return loaded
}

function parse(text: string): Gazetteer {
  if (!text.startsWith(`${HEADER}\n`)) throw new Error(`data/places-us.csv does not begin with ${HEADER}`)
  const cityLines: number[] = []
  const zipCodes: number[] = []
  const zipLines: number[] = []
  const cityNumbers = new Map<string, number>()
  const namesakes = new Map<string, number[]>()
  const names: string[] = []
  const nameCities: number[] = []

  let start = HEADER.length + 1
  for (let end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
    if (text[start] === ',') {
      const number = cityLines.push(start) - 1
      const [, name, state, , , , , also] = text.slice(start, end).split(',')
      for (const spelling of also ? [name!, ...also.split('|')] : [name!]) {
        names.push(`${normalizeName(spelling)},${state!.toLowerCase()}`)
        nameCities.push(number)
        const key = cityKey(spelling, state!)
        const first = cityNumbers.get(key)
        if (first === undefined) cityNumbers.set(key, number)
        else if (first !== number) namesakes.set(key, [...(namesakes.get(key) ?? [first]), number])
      }
    } else {
      zipCodes.push(Number(text.slice(start, start + 5)))
      zipLines.push(start)
    }
    start = end + 1
  }

  const starts = new Int32Array(names.length)
  let position = 1
  for (let i = 0; i < names.length; i++) {
    starts[i] = position
    position += names[i]!.length + 1
  }
  return {
    text,
    cityLines: Int32Array.from(cityLines),
    zipCodes: Int32Array.from(zipCodes),
    zipLines: Int32Array.from(zipLines),
    cityNumbers,
    namesakes,
    names: { haystack: `\n${names.join('\n')}\n`, starts, cities: Int32Array.from(nameCities) },
  }
}

function lineAt(text: string, start: number): string[] {
  return text.slice(start, text.indexOf('\n', start)).split(',')
}

function cityKey(name: string, state: string): string {
  return `${compactName(name)} ${state.trim().toUpperCase()}`
}

function stateSlug(state: UsState): string {
  return state.name.toLowerCase().replaceAll(' ', '-')
}

function countyLabel(county: string, state: string): string {
  if (state === 'AK') return county
  return state === 'LA' ? `${county} Parish` : `${county} County`
}
