import type { BusinessType } from '#contracts/business-types.ts'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import type { Tx } from '#server/db/connect.ts'
import { foldText } from './fold-text.ts'
import type { Point } from './geo/distance.ts'
import { newId } from './ids.ts'

/**
 * The search index as an interface; `server/adapters/search` implements it in PostgreSQL. An index returns ordered IDs; on every search
 * the features decide who may see the results: see server/features/search.
 */
export type SearchIndex = {
  /** Inserts or replaces these documents. @returns the IDs of those whose place or type changed */
  put(tx: Tx, documents: readonly SearchDocument[]): Promise<string[]>
  remove(tx: Tx, kind: SearchKind, ids: readonly string[]): Promise<void>
  /** Needed for a kind without a table whose deletes would cascade. */
  removeAllBut(tx: Tx, kind: 'strain', ids: readonly string[]): Promise<void>
  /**
   * The next matches after a place, best first.
   * @throws AppError unavailable if it takes too long
   */
  find(question: SearchQuestion, after: SearchPlace | null, limit: number): Promise<SearchMatches>
  /**
   * Matches by similarly spelled words or names of people, for queries without results. The caller decides whether there are none,
   * because it knows what the viewer can see; omitted results must not reveal what they can't.
   * @throws as `find`
   */
  findAlike(question: SearchQuestion, after: SearchPlace | null, limit: number): Promise<SearchMatches>
  /** The best matches of each kind by name. @throws as `find` */
  findOfEach(question: SearchQuestion, kinds: readonly SearchKind[], limit: number): Promise<SearchMatches>
  /**
   * Up to `limit` matches of `find` per kind, for counting. Which ones are returned is arbitrary. Empty if the query has no words.
   * @throws as `find`
   */
  sampleOfEach(question: SearchQuestion, kinds: readonly SearchKind[], limit: number): Promise<SearchSample[]>
  /** Deletes words that are no longer in any name. */
  prune(): Promise<void>
}

export type SearchDocument = {
  id: string
  kind: SearchKind
  title: string
  /** Further names that count like the title, such as a product's brand. */
  names: readonly string[]
  /** Matched by whole words. */
  text: string
  /** Breaks ties between equal matches. */
  quality: number
  state: string | null
  businessType: BusinessType | null
  pin: Point | null
  /** The words in its names are public, so they may be used for spelling suggestions. */
  isCommonKnowledge: boolean
}

export type SearchQuestion = {
  text: string
  kinds: readonly SearchKind[] | null
  state: string | null
  businessType: BusinessType | null
  area: SearchArea | null
  /** Where the person is: among equally good matches, nearby ones come first. Not used within an `area`. */
  home?: SearchArea | null
}

export type SearchArea = { center: Point; radiusMiles: number }

/** The sort key of a match: by how it matches, then by score, then by ID. */
export type SearchPlace = { stage: number; score: number; id: string }

/** Matches of `findAlike` have this stage or a later one. */
export const alikeFrom = 4

export type SearchMatch = SearchPlace & {
  kind: SearchKind
  isAlike: boolean
  distanceMiles: number | null
}

export type SearchMatches = {
  matches: SearchMatch[]
  alikeWords: string[]
  hasMore: boolean
}

export type SearchSample = { kind: SearchKind; ids: string[]; hasMore: boolean }

/** Kinds with their own tables; strains come from a file. */
export type IndexedSubject = Exclude<SearchKind, 'strain'>

/**
 * Reindexes these subjects after the transaction commits. Call whenever the words of a business, product, post, person or community
 * change. Deleted subjects leave the index automatically, and hidden ones aren't shown.
 */
export const markForSearch = (tx: Tx, kind: IndexedSubject, ids: readonly string[]): Promise<unknown> =>
  ids.length === 0
    ? Promise.resolve()
    : tx
        .insertInto('search_changes')
        .values(ids.map((subject_id) => ({ id: newId(), kind, subject_id })))
        .execute()

/** Reindexes everything in the background, after a bulk load that bypassed `markForSearch`. */
export const askForSearchPass = (tx: Tx): Promise<unknown> =>
  tx.updateTable('search_state').set({ is_pass_wanted: true }).where('is_pass_wanted', '=', false).execute()

const maxWords = 8
const maxWordLength = 40

/** Runs of letters and digits, without case and diacritics. Apostrophes don't end words: "Nature's" and "natures" are equal. */
export const wordsOf = (text: string): string[] =>
  (
    foldText(text)
      .replace(/'/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => [...word].slice(0, maxWordLength).join(''))

/** The distinct words of a query, up to a limit. */
export const wordsAsked = (question: string): string[] => [...new Set(wordsOf(question))].slice(0, maxWords)
