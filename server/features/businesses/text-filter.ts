import { type Expression, type SqlBool, sql } from 'kysely'

const maxWords = 8

/** Lower case, no accents, plain apostrophes: "Bouffée" is found by "bouffee", "Nature's" by "nature’s". */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’ʻ`´]/g, "'")
    .toLowerCase()
}

/** What `businesses.search_text` holds. The line breaks keep a word from matching across two fields. */
export const searchTextOf = (business: { name: string; description: string | null; location: string | null }): string =>
  foldText([business.name, business.description, business.location].filter(Boolean).join('\n'))

/** The words of a question; a match has each of them somewhere. */
export const searchWords = (question: string): string[] => [...new Set(foldText(question).split(/\s+/).filter(Boolean))].slice(0, maxWords)

/** Served by the trigram index where there is one (see `server/db/trigram-index.ts`), by reading the rows where not. */
export const containsWord = (column: Expression<string>, word: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
