import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { containsWord } from '#server/features/businesses/index.ts'
import { businessNotBlocked } from '#server/features/people/index.ts'
import { allStrains, nameKey } from '#server/features/strains/index.ts'
import { escapeLike } from '#server/kernel/fold-text.ts'
import { boxAround, distanceMiles, type Point } from '#server/kernel/geo/distance.ts'
import type { ParsedQuestion } from './question.ts'
import { fillers, tradeWords, withinOneEdit } from './question-words.ts'

/**
 * Businesses that the question names, nearest first. `name` is the name as the question spells it, and `rest` is the question
 * without it.
 */
export type Named = { ids: string[]; name: string; rest: string }

const maxTokens = 24
const maxWords = 5
const maxPhrases = 50
/** Beyond this distance, a misspelled name, a strain's name and most shortened names aren't taken for a business. */
const nearMiles = 60
const shortestMisspelled = 6

/** Null if the question names none. A single common word or a place isn't taken for a business. */
export async function findNamed(db: Db, viewerId: string, asked: ParsedQuestion, center: Point | null): Promise<Named | null> {
  const tokens = tokensOf(asked.text)
  const phrases = phrasesOf(tokens, asked)
  if (phrases.length === 0) return null
  const rows = (await namesContaining(db, viewerId, phrases)).map((row) => ({
    ...row,
    key: plainKey(row.name),
    miles: milesTo(row, center),
  }))
  const matches = phrases.flatMap((phrase) =>
    rows.filter((row) => isNamedBy(row, phrase, asked)).map((row) => ({ row, phrase, words: phrase.split(' ').length })),
  )
  const most = Math.max(0, ...matches.map(({ words }) => words))
  const best = matches.filter(({ words }) => words === most)
  if (best.length > 0) {
    const phrase = best[0]?.phrase ?? ''
    const of = best.filter((each) => each.phrase === phrase).map(({ row }) => row)
    // "Star Buds" is the exact name of one business; "Star Buds Medical" only begins with it.
    const exact = of.filter(({ key }) => key === phrase)
    const named = exact.length > 0 ? exact : of
    return { ids: nearestFirst(named), name: phrase, rest: without(asked.text, phrase, named[0]?.key ?? '') }
  }
  return center && asked.words.length > 0 ? misspelled(db, viewerId, asked, tokens, center) : null
}

/** The text without the words of a name, even if the name continues with words that look like something else: "Cottonwood Smoke". */
function without(text: string, phrase: string, key: string): string {
  const at = text.indexOf(phrase)
  if (at === -1) return text
  let end = at + phrase.length
  for (const word of key.slice(phrase.length).trim().split(' ')) {
    if (word === '' || !text.slice(end).startsWith(` ${word}`)) break
    end += word.length + 1
  }
  return `${text.slice(0, at)} it ${text.slice(end)}`
}

const plainKey = (name: string): string => nameKey(name.replace(/[^\p{L}\p{N}' ]+/gu, ' '))

function tokensOf(text: string): string[] {
  return text
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .split(' ')
    .map((word) => word.replace(/'s$/, ''))
    .filter((word) => word !== '')
    .slice(0, maxTokens)
}

/** Runs of words that may be a name, longest first. Runs that begin or end with a filler, like "The Dab", come last. */
function phrasesOf(tokens: readonly string[], asked: ParsedQuestion): string[] {
  const phrases: string[] = []
  const whole: string[] = []
  const placeWords = new Set(asked.place?.label.toLowerCase().split(/[^a-z0-9]+/) ?? [])
  for (let count = Math.min(maxWords, tokens.length); count > 0; count--) {
    for (let at = 0; at + count <= tokens.length; at++) {
      const words = tokens.slice(at, at + count)
      const own = words.filter((word) => !fillers.has(word) && !tradeWords.has(word) && !placeWords.has(word))
      const isLoose = fillers.has(words[0] as string) || fillers.has(words.at(-1) as string)
      if (words.every((word) => placeWords.has(word) || fillers.has(word))) continue
      if (isLoose) {
        if (count > 1 && own.length > 0) whole.push(words.join(' '))
      } else if (count === 1) {
        if (own.length === 1 && (own[0] as string).length >= 4 && asked.words.includes(own[0] as string)) phrases.push(own[0] as string)
      } else if (own.length > 0 || isTradeName(words)) {
        phrases.push(words.join(' '))
      }
    }
  }
  return [...phrases, ...whole].slice(0, maxPhrases)
}

/** "Green Leaf": two or more trade words can be a whole name, unless all of them are kinds of business or similarly common. */
const isTradeName = (words: readonly string[]) => !words.every((word) => kindWords.has(word))
const kindWords = new Set(
  'weed pot cannabis marijuana dispensary dispensaries farm farms shop shops store stores smoke glass delivery lounge good best city state cafe'.split(
    ' ',
  ),
)

type Row = NamedRow & { key: string; miles: number }

function isNamedBy({ key, miles }: Row, phrase: string, asked: ParsedQuestion): boolean {
  if (key === phrase && isPlaceOfName(phrase, asked)) return true
  const isNear = miles <= nearMiles
  if (asked.place && asked.place.kind !== 'state' && !isNear) return false
  if (strainKeys().has(phrase) && asked.aspect === null && !isNear) return false
  if (key === phrase) return true
  if (!key.startsWith(`${phrase} `) || (strainKeys().has(phrase) && asked.aspect === null)) return false
  const words = phrase.split(' ')
  if (fillers.has(words[0] as string) || fillers.has(words.at(-1) as string)) return false
  if (words.some((word) => tradeWords.has(word)) && !isNear) return false
  if (words.length > 1) return !words.every((word) => tradeWords.has(word)) || asked.aspect !== null
  // A word that only begins a business's name isn't taken for the name if the question asks for something else, except after "at", "does",
  // "from" or "is".
  const others = asked.words.filter((word) => word !== phrase)
  return (
    (others.length === 0 && (isNear || asked.aspect !== null) && !asked.isAboutProducts) ||
    new RegExp(`\\b(?:at|does|from|is) ${phrase}\\b`).test(asked.text)
  )
}

/** Whether the place is only a part of the name, as in "at Phoenix Buds" or "Phoenix Counter hours". */
function isPlaceOfName(phrase: string, { place, text }: ParsedQuestion): boolean {
  const placeName = place && ` ${nameKey(place.name)} `
  const name = ` ${phrase} `
  if (!placeName || !name.includes(placeName)) return false
  const others = name.replace(placeName, ' ').split(' ')
  const isSpecific = others.some((word) => word !== '' && !tradeWords.has(word) && !fillers.has(word))
  return isSpecific || new RegExp(`\\bat ${phrase}\\b`).test(text)
}

let strains: Set<string> | null = null
const strainKeys = (): Set<string> => {
  strains ??= new Set(allStrains().map(({ name }) => nameKey(name)))
  return strains
}

const milesTo = ({ pin_latitude, pin_longitude }: NamedRow, center: Point | null): number =>
  center && pin_latitude !== null && pin_longitude !== null
    ? distanceMiles(center, { latitude: pin_latitude, longitude: pin_longitude })
    : Number.MAX_SAFE_INTEGER

const nearestFirst = (rows: readonly { id: string; miles: number }[]): string[] => [
  ...new Set([...rows].sort((a, b) => a.miles - b.miles).map(({ id }) => id)),
]

/** "lanternfeld", "milehigh green": a nearby name that differs in one letter or in its spaces. */
async function misspelled(
  db: Db,
  viewerId: string,
  asked: ParsedQuestion,
  tokens: readonly string[],
  center: Point,
): Promise<Named | null> {
  const runs = tokens.flatMap((_, at) => [1, 2, 3].map((count) => tokens.slice(at, at + count)))
  const written = runs
    .filter((words) => words.some((word) => asked.words.includes(word)) && !fillers.has(words[0] as string))
    .map((words) => words.join(''))
    .filter((word) => word.length >= shortestMisspelled)
  if (written.length === 0) return null
  const rows = await namesAround(db, viewerId, center, nearMiles)
  const found = rows.filter(({ name }) => {
    const words = plainKey(name).split(' ')
    return [1, 2, 3].some((count) => {
      const start = words.slice(0, count)
      if (start.length < count || start.every((word) => tradeWords.has(word))) return false
      const beginning = start.join('')
      return written.some((word) => withinOneEdit(word, beginning))
    })
  })
  const own = asked.words.join(' ')
  return found.length > 0
    ? { ids: nearestFirst(found.map((row) => ({ ...row, miles: milesTo(row, center) }))), name: own, rest: without(asked.text, own, '') }
    : null
}

type NamedRow = { id: string; name: string; pin_latitude: number | null; pin_longitude: number | null; rating_score: number }

const maxNamed = 60

const visibleNames = (db: Db, viewerId: string) =>
  db
    .selectFrom('businesses')
    .select(['id', 'name', 'pin_latitude', 'pin_longitude', 'rating_score'])
    .where('moderation', 'is', null)
    .where(businessNotBlocked(viewerId, 'businesses.id'))

/** Best rated first. */
const namesContaining = (db: Db, viewerId: string, phrases: readonly string[]): Promise<NamedRow[]> =>
  visibleNames(db, viewerId)
    .where((eb) => eb.or(phrases.map((phrase) => containsWord(eb.ref('search_text'), phrase))))
    // The first line of `search_text` is the name.
    .where(sql<boolean>`split_part(search_text, E'\n', 1) like any(${phrases.map((phrase) => `%${escapeLike(phrase)}%`)}::text[])`)
    .orderBy('rating_score', 'desc')
    .limit(maxNamed)
    .execute()

const maxAround = 2000

function namesAround(db: Db, viewerId: string, center: Point, radiusMiles: number): Promise<NamedRow[]> {
  const { west, south, east, north } = boxAround(center, radiusMiles)
  return visibleNames(db, viewerId)
    .where('pin_latitude', '>=', south)
    .where('pin_latitude', '<=', north)
    .where(sql<boolean>`pin_longitude between ${west} and ${east}`)
    .limit(maxAround)
    .execute()
}
