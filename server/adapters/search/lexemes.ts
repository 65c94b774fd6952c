import type { SearchDocument, SearchQuestion } from '../../kernel/search.ts'
import { wordsOf } from '../../kernel/search-words.ts'

/**
 * How documents and questions become what PostgreSQL's full text compares. Beside the stems of its words, a document carries:
 * - `^bl`: the beginnings of the words in its names, one lexeme each. A question that is being typed then asks for one lexeme, however
 *   many words begin so; PostgreSQL's own `bl:*` would gather the documents of every such word first.
 * - `~blue`: the words of its names as they are
 * - `$blue dream`: its whole title
 * - `=strain`, `@CO`, `#farm`: kind, state and business type, so that one index answers for all of them
 *
 * No stem begins with such a sign: words are letters and digits.
 */

/** Longer beginnings are looked for among whole words, of which few are so long. */
const longestBeginning = 12
const longestTitle = 80

const beginning = (word: string) => `^${word}`
const itself = (word: string) => `~${word}`
const whole = (words: readonly string[]) => `$${words.join(' ').slice(0, longestTitle)}`

/** All that is not a stem. */
export function lexemesOf({ kind, title, names, state, businessType }: SearchDocument): string[] {
  const found = new Set([`=${kind}`, whole(wordsOf(title))])
  if (state) found.add(`@${state}`)
  if (businessType) found.add(`#${businessType}`)
  for (const word of wordsOf([title, ...names].join(' '))) {
    const letters = [...word]
    for (let length = 1; length <= Math.min(letters.length, longestBeginning); length++)
      found.add(beginning(letters.slice(0, length).join('')))
    if (letters.length > longestBeginning) found.add(beginning(word))
    found.add(itself(word))
  }
  return [...found]
}

const quoted = (lexeme: string) => `'${lexeme.replace(/[\\']/g, '$&$&')}'`

const all = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' & ')
const any = (parts: readonly string[]) => (parts.length === 1 ? (parts[0] as string) : `(${parts.join(' | ')})`)

const begins = (word: string) => `${quoted(beginning(word))}${[...word].length > longestBeginning ? ':*' : ''}`

/** What every match has, whatever its words. */
export function conditionsOf({ kinds, state, businessType }: Omit<SearchQuestion, 'text' | 'area'>): string {
  return all([
    kinds ? any(kinds.map((kind) => quoted(`=${kind}`))) : '',
    state ? quoted(`@${state}`) : '',
    businessType ? quoted(`#${businessType}`) : '',
  ])
}

export type Asked = {
  words: string[]
  /** As PostgreSQL writes the stem of each word; empty of a word that says nothing ("the"). */
  stems: readonly string[]
}

/** The texts of `tsquery`s for one question, each narrower than the next. Null: there is nothing to ask for. */
export type Queries = { exact: string; whole: string; names: string; words: string }

export function queriesOf({ words, stems }: Asked): Queries | null {
  if (words.length === 0) return null
  const entire = all(words.map((word) => quoted(itself(word))))
  const names = all(words.map(begins))
  const telling = words.flatMap((word, i) => (stems[i] ? [any([begins(word), `(${stems[i]})`])] : []))
  return { exact: all([quoted(whole(words)), entire]), whole: entire, names, words: telling.length > 0 ? all(telling) : names }
}

/** The question with other words in the place of those that stand nowhere. */
export const alikeQuery = (words: readonly string[], others: ReadonlyMap<string, readonly string[]>): string =>
  all(words.map((word) => any([word, ...(others.get(word) ?? [])].map(begins))))

export const both = (...parts: string[]): string => all(parts)
export const without = (query: string, taken: string): string => `(${query}) & !(${taken})`
