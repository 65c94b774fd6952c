import { type Expression, type SqlBool, sql } from 'kysely'
import { foldText } from '../../kernel/fold-text.ts'

const maxWords = 8

/** What `businesses.search_text` holds. The line breaks keep a word from matching across two fields. */
export const searchTextOf = (business: { name: string; description: string | null; location: string | null }): string =>
  foldText([business.name, business.description, business.location].filter(Boolean).join('\n'))

/** The words of a question; a match has each of them somewhere. */
export const searchWords = (question: string): string[] => [...new Set(foldText(question).split(/\s+/).filter(Boolean))].slice(0, maxWords)

/** Served by the trigram index where there is one (see `server/db/trigram-index.ts`), by reading the rows where not. */
export const containsWord = (column: Expression<string>, word: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
