import type { Db } from '#server/db/connect.ts'
import { allStrains, nameKey } from '#server/features/strains/index.ts'
import { distanceMiles, type Point } from '#server/kernel/geo/distance.ts'
import { type NamedRow, namesAround, namesContaining } from './business-names.queries.ts'
import { withinOneEdit } from './one-edit.ts'
import type { Asked } from './question.ts'
import { fillers, tradeWords } from './question-words.ts'

/** Businesses that the question names, nearest first; `name` is what it calls them, `rest` the question without it. */
export type Named = { ids: string[]; name: string; rest: string }

const maxTokens = 24
const maxWords = 5
const maxPhrases = 40
/** Beyond this, a name that is spelled differently is another business. */
const spellingRadiusMiles = 50
const shortestMisspelled = 6

/** Null if it names none. A single common word or a strain's name is not taken for a business. */
export async function findNamed(db: Db, viewerId: string, asked: Asked, center: Point | null): Promise<Named | null> {
  const tokens = tokensOf(asked.text)
  const phrases = phrasesOf(tokens, asked)
  if (phrases.length === 0) return null
  const rows = (await namesContaining(db, viewerId, phrases)).map((row) => ({ ...row, key: plainKey(row.name) }))
  const matches = phrases.flatMap((phrase) =>
    rows.filter((row) => isNamedBy(row.key, phrase, asked)).map((row) => ({ row, phrase, words: phrase.split(' ').length })),
  )
  const most = Math.max(0, ...matches.map(({ words }) => words))
  const best = matches.filter(({ words }) => words === most)
  if (best.length > 0) {
    const phrase = best[0]?.phrase ?? ''
    const named = best.filter((each) => each.phrase === phrase).map(({ row }) => row)
    return { ids: nearestFirst(named, center), name: phrase, rest: without(asked.text, phrase, named[0]?.key ?? '') }
  }
  return center && asked.words.length > 0 ? misspelled(db, viewerId, asked, tokens, center) : null
}

/** The text without the words of a name, also if it goes on with words that look like something else: "Cottonwood Smoke". */
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

/** Runs of words that may be a name, longest first. */
function phrasesOf(tokens: readonly string[], asked: Asked): string[] {
  const phrases: string[] = []
  for (let count = Math.min(maxWords, tokens.length); count > 0; count--) {
    for (let at = 0; at + count <= tokens.length; at++) {
      const words = tokens.slice(at, at + count)
      if (fillers.has(words[0] as string) || fillers.has(words.at(-1) as string)) continue
      const own = words.filter((word) => !fillers.has(word) && !tradeWords.has(word))
      const isLeft = words.some((word) => asked.words.includes(word))
      if (count === 1 ? own.length === 1 && isLeft && (own[0] as string).length >= 4 : own.length > 0 || isTradeName(words))
        phrases.push(words.join(' '))
    }
  }
  return phrases.slice(0, maxPhrases)
}

/** "Night Owl", "Green Leaf": two or more trade words can be a whole name, but not with the kind of business alone. */
const isTradeName = (words: readonly string[]) => words.length >= 2 && !words.every((word) => kindWords.has(word))
const kindWords = new Set(
  'weed pot cannabis marijuana dispensary dispensaries farm farms shop shops store stores smoke glass delivery lounge denver good best city state cafe'.split(
    ' ',
  ),
)

function isNamedBy(key: string, phrase: string, asked: Asked): boolean {
  if (strainKeys().has(phrase) && key !== phrase && asked.aspect === null) return false
  if (key === phrase) return true
  const words = phrase.split(' ')
  if (!key.startsWith(`${phrase} `)) return false
  if (words.length > 1) return !words.every((word) => tradeWords.has(word)) || asked.aspect !== null
  // A word that begins a name is that name only if nothing else is asked for.
  const others = asked.words.filter((word) => word !== phrase)
  return others.length === 0 || asked.isAboutProducts || new RegExp(`\\b(?:at|does|from|is) ${phrase}\\b`).test(asked.text)
}

let strains: Set<string> | null = null
const strainKeys = (): Set<string> => {
  strains ??= new Set(allStrains().map(({ name }) => nameKey(name)))
  return strains
}

function nearestFirst(rows: readonly NamedRow[], center: Point | null): string[] {
  const distance = ({ pin_latitude, pin_longitude }: NamedRow) =>
    center && pin_latitude !== null && pin_longitude !== null
      ? distanceMiles(center, { latitude: pin_latitude, longitude: pin_longitude })
      : Number.MAX_SAFE_INTEGER
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => distance(a) - distance(b)).map(({ id }) => id)
}

/** "lanternfeld", "milehigh green": a name around there with one letter or the spaces different. */
async function misspelled(db: Db, viewerId: string, asked: Asked, tokens: readonly string[], center: Point): Promise<Named | null> {
  const runs = tokens.flatMap((_, at) => [1, 2, 3].map((count) => tokens.slice(at, at + count)))
  const written = runs
    .filter((words) => words.some((word) => asked.words.includes(word)) && !fillers.has(words[0] as string))
    .map((words) => words.join(''))
    .filter((word) => word.length >= shortestMisspelled)
  if (written.length === 0) return null
  const rows = await namesAround(db, viewerId, center, spellingRadiusMiles)
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
  return found.length > 0 ? { ids: nearestFirst(found, center), name: own, rest: without(asked.text, own, '') } : null
}
