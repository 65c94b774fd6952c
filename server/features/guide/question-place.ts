import { findZip, type Place } from '#server/kernel/geo/gazetteer.ts'
import { resolvePlace, suggestPlaces } from '#server/kernel/geo/place-search.ts'
import { withinOneEdit } from './one-edit.ts'
import type { Take } from './question-time.ts'
import { tradeWords } from './question-words.ts'

/** A place as asked: inside of it ("in Denver"), or around it ("near Denver"). */
export type AskedPlace = Pick<Place, 'label' | 'name' | 'kind' | 'state' | 'latitude' | 'longitude'> & { isInside: boolean }

const nicknames: Record<string, string> = {
  okc: 'Oklahoma City, OK',
  nyc: 'New York, NY',
  sf: 'San Francisco, CA',
  vegas: 'Las Vegas, NV',
  philly: 'Philadelphia, PA',
  dc: 'Washington, DC',
  'd.c': 'Washington, DC',
}
const nickname = new RegExp(`\\b(?:(in|near|around|by|at) )?(${Object.keys(nicknames).join('|')})\\b`)
const zip = /\b(?:(?:in|near|around|by|at) )?(\d{5})\b/

const maxPlaceWords = 4
/** Enough for real questions; every candidate that isn't a place costs a search through all names. */
const maxTried = 3
/** Words after "in" or "near" that begin no place, though some are towns. */
const noPlaces =
  /^(?:my|the|a|an|it|its|this|that|your|our|me|us|here|them|order|general|front|stock|store|stores|town|person|bulk|at|on|open|under|night|least|most|home|which|what|case|touch|between)$/
/** A bare name means a city above this population: "dispensary denver", but not "star" or "bloom". */
const bareCityPopulation = 20_000

export function takePlace(text: string, take: Take): { place: AskedPlace | null; unknown: string | null } {
  const known = take(nickname)
  if (known)
    return { place: asked(resolvePlace(nicknames[known[2] as string] as string), !/near|around|by/.test(known[1] ?? '')), unknown: null }
  const code = zip.exec(text)?.[1]
  const byZip = code ? findZip(code) : null
  if (byZip) {
    take(zip)
    return { place: asked(byZip, false), unknown: null }
  }
  let tried = 0
  let unknown: string | null = null
  for (const match of text.matchAll(/\b(in|near|around|by|at|from) (?=\w)/g)) {
    if (tried === maxTried) break
    const words = text
      .slice(match.index + match[0].length)
      .split(';')[0]
      ?.trim()
      .split(' ')
    const first = words?.[0]?.replace(/,$/, '') ?? ''
    if (!words || first === '' || noPlaces.test(first) || /^\d/.test(first)) continue
    tried++
    const found = longestPlace(words)
    if (found) {
      take(new RegExp(`\\b${match[1]} ${escaped(found.words)}`))
      return { place: asked(found.place, match[1] === 'in' || match[1] === 'at'), unknown: null }
    }
    if (match[1] === 'in' || match[1] === 'near') unknown ??= words.slice(0, 2).join(' ').replace(/,+$/, '')
  }
  return { place: null, unknown }
}

/** A city's name without a preposition at the end or the beginning of what else isn't understood. */
export function takeBarePlace(segments: readonly string[], take: Take): AskedPlace | null {
  for (const segment of segments.slice(0, maxTried)) {
    const words = segment.split(' ')
    for (let count = Math.min(maxPlaceWords, words.length); count > 0; count--) {
      for (const some of new Set([words.slice(-count).join(' '), words.slice(0, count).join(' ')])) {
        const place = some.length > 3 && !tradeWords.has(some) ? resolvePlace(some) : null
        if (!place || (place.kind === 'city' && (place.population ?? 0) < bareCityPopulation)) continue
        take(new RegExp(`\\b${escaped(some)}\\b`))
        return asked(place, true)
      }
    }
  }
  return null
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** "Union Station Denver" is in Denver, not in Union. */
const largeCityPopulation = 100_000

function longestPlace(words: readonly string[]): { place: Place; words: string } | null {
  const first = beginningPlace(words)
  const last = words.at(-1) ?? ''
  const city = first && first.words.split(' ').length < words.length && last.length > 3 ? resolvePlace(last) : null
  const isLarger = city?.kind === 'city' && (city.population ?? 0) >= Math.max(largeCityPopulation, first?.place.population ?? 0)
  return isLarger && first?.place.kind === 'city' ? null : first
}

function beginningPlace(words: readonly string[]): { place: Place; words: string } | null {
  for (let count = Math.min(maxPlaceWords, words.length); count > 0; count--) {
    const some = words.slice(0, count).join(' ').replace(/,+$/, '')
    const place = resolvePlace(some)
    if (place) return { place, words: some }
  }
  // "denvr": a large city, one letter off.
  const some = (words[0] ?? '').replace(/,+$/, '')
  const guess = some.length >= 5 ? suggestPlaces(some, 1)[0] : undefined
  const isClose = guess?.kind === 'city' && (guess.population ?? 0) >= bareCityPopulation && withinOneEdit(some, guess.name.toLowerCase())
  return guess && isClose ? { place: guess, words: some } : null
}

function asked(place: Place | null, isInside: boolean): AskedPlace | null {
  if (!place) return null
  const { label, name, kind, state, latitude, longitude } = place
  return { label, name, kind, state, latitude, longitude, isInside: isInside && kind === 'city' }
}
