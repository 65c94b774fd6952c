import { type SearchDocument, type SearchQuery, wordsOf } from '#server/kernel/search.ts'

/**
 * Turns documents and queries into lexemes for PostgreSQL's full-text search. In addition to the stems of its words, a document has:
 * - `^bl`: the prefixes of the words in its names, one lexeme each. A partly typed query then needs only one lexeme, no matter how many
 *   words match. PostgreSQL's own `bl:*` would first gather the documents of every such word.
 * - `~blue`: the words of its names
 * - `$blue dream`: its whole title
 * - `=strain`, `@CO`, `#farm`: kind, state and business type, so one index covers all of them
 *
 * Stems never start with these characters, because words consist of letters and digits.
 */

/** Longer prefixes are searched among whole words, because few words are that long. */
const maxPrefixLength = 12
const maxTitleLength = 80

const prefixLexeme = (word: string) => `^${word}`
const wordLexeme = (word: string) => `~${word}`
const titleLexeme = (words: readonly string[]) => `$${words.join(' ').slice(0, maxTitleLength)}`

/** Everything except stems. */
export function lexemesOf({ kind, title, names, state, businessType }: SearchDocument): string[] {
  const found = new Set([`=${kind}`, titleLexeme(wordsOf(title))])
  if (state) found.add(`@${state}`)
  if (businessType) found.add(`#${businessType}`)
  for (const word of wordsOf([title, ...names].join(' '))) {
    const letters = [...word]
    for (let length = 1; length <= Math.min(letters.length, maxPrefixLength); length++)
      found.add(prefixLexeme(letters.slice(0, length).join('')))
    if (letters.length > maxPrefixLength) found.add(prefixLexeme(word))
    found.add(wordLexeme(word))
  }
  return [...found]
}

const quoted = (lexeme: string) => `'${lexeme.replace(/[\\']/g, '$&$&')}'`

const all = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' & ')
const any = (parts: readonly string[]) => (parts.length === 1 ? (parts[0] as string) : `(${parts.join(' | ')})`)

const prefixQuery = (word: string) => `${quoted(prefixLexeme(word))}${[...word].length > maxPrefixLength ? ':*' : ''}`

/** Conditions that every match meets, regardless of its words. */
export function conditionsOf({ kinds, state, businessType }: Omit<SearchQuery, 'text' | 'area'>): string {
  return all([
    kinds ? any(kinds.map((kind) => quoted(`=${kind}`))) : '',
    state ? quoted(`@${state}`) : '',
    businessType ? quoted(`#${businessType}`) : '',
  ])
}

export type QueryWords = {
  words: string[]
  /** Each word's stem from PostgreSQL. Empty for stop words ("the"). */
  stems: readonly string[]
}

/** `tsquery` texts for one query, each broader than the previous one. Null if there is nothing to search for. */
export type Queries = { exact: string; whole: string; names: string; words: string }

export function queriesOf({ words, stems }: QueryWords): Queries | null {
  if (words.length === 0) return null
  const entire = all(words.map((word) => quoted(wordLexeme(word))))
  const names = all(words.map(prefixQuery))
  const wordQueries = words.flatMap((word, i) => (stems[i] ? [any([prefixQuery(word), `(${stems[i]})`])] : []))
  return {
    exact: all([quoted(titleLexeme(words)), entire]),
    whole: entire,
    names,
    words: wordQueries.length > 0 ? all(wordQueries) : names,
  }
}

/** Matches each word or one of the words similar to it. */
export const similarWordsQuery = (words: readonly string[], others: ReadonlyMap<string, readonly string[]>): string =>
  all(words.map((word) => any([word, ...(others.get(word) ?? [])].map(prefixQuery))))

export const both = (...parts: string[]): string => all(parts)
export const excluding = (query: string, excluded: string): string => `(${query}) & !(${excluded})`
