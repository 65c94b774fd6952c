import { type SearchDocument, type SearchQuestion, wordsOf } from '#server/kernel/search.ts'

/**
 * How documents and queries are turned into lexemes for PostgreSQL's full-text search. Besides the stems of its words, a document has:
 * - `^bl`: the prefixes of the words in its names, one lexeme each. A query being typed then needs only one lexeme, however many words
 *   match; PostgreSQL's own `bl:*` would first gather the documents of every such word.
 * - `~blue`: the words of its names
 * - `$blue dream`: its whole title
 * - `=strain`, `@CO`, `#farm`: kind, state and business type, so that one index covers all of them
 *
 * Stems never start with these characters, because words consist of letters and digits.
 */

/** Longer prefixes are searched among whole words, few of which are that long. */
const maxPrefixLength = 12
const maxTitleLength = 80

const beginning = (word: string) => `^${word}`
const itself = (word: string) => `~${word}`
const whole = (words: readonly string[]) => `$${words.join(' ').slice(0, maxTitleLength)}`

/** Everything except stems. */
export function lexemesOf({ kind, title, names, state, businessType }: SearchDocument): string[] {
  const found = new Set([`=${kind}`, whole(wordsOf(title))])
  if (state) found.add(`@${state}`)
  if (businessType) found.add(`#${businessType}`)
  for (const word of wordsOf([title, ...names].join(' '))) {
    const letters = [...word]
    for (let length = 1; length <= Math.min(letters.length, maxPrefixLength); length++)
      found.add(beginning(letters.slice(0, length).join('')))
    if (letters.length > maxPrefixLength) found.add(beginning(word))
    found.add(itself(word))
  }
  return [...found]
}

const quoted = (lexeme: string) => `'${lexeme.replace(/[\\']/g, '$&$&')}'`

const all = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' & ')
const any = (parts: readonly string[]) => (parts.length === 1 ? (parts[0] as string) : `(${parts.join(' | ')})`)

const begins = (word: string) => `${quoted(beginning(word))}${[...word].length > maxPrefixLength ? ':*' : ''}`

/** Conditions that every match meets, whatever its words. */
export function conditionsOf({ kinds, state, businessType }: Omit<SearchQuestion, 'text' | 'area'>): string {
  return all([
    kinds ? any(kinds.map((kind) => quoted(`=${kind}`))) : '',
    state ? quoted(`@${state}`) : '',
    businessType ? quoted(`#${businessType}`) : '',
  ])
}

export type Asked = {
  words: string[]
  /** The stem of each word as computed by PostgreSQL; empty for stop words ("the"). */
  stems: readonly string[]
}

/** `tsquery` texts for one query, each broader than the one before. Null if there is nothing to search for. */
export type Queries = { exact: string; whole: string; names: string; words: string }

export function queriesOf({ words, stems }: Asked): Queries | null {
  if (words.length === 0) return null
  const entire = all(words.map((word) => quoted(itself(word))))
  const names = all(words.map(begins))
  const notifyAbout = words.flatMap((word, i) => (stems[i] ? [any([begins(word), `(${stems[i]})`])] : []))
  return { exact: all([quoted(whole(words)), entire]), whole: entire, names, words: notifyAbout.length > 0 ? all(notifyAbout) : names }
}

/** The query with similar words added to the words that have no match. */
export const alikeQuery = (words: readonly string[], others: ReadonlyMap<string, readonly string[]>): string =>
  all(words.map((word) => any([word, ...(others.get(word) ?? [])].map(begins))))

export const both = (...parts: string[]): string => all(parts)
export const without = (query: string, taken: string): string => `(${query}) & !(${taken})`
