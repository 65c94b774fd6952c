import type { BusinessType } from '../../contracts/business-types.ts'
import type { SearchKind } from '../../contracts/search.ts'
import type { Tx } from '../db/connect.ts'
import type { Point } from './geo/distance.ts'
import { newId } from './ids.ts'

/**
 * What can be searched, behind an interface: `server/adapters/search` keeps it in PostgreSQL. An index answers ids in an order; who may
 * see what they stand for is asked of the features, each time: see server/features/search.
 */
export type SearchIndex = {
  /** Puts these documents in the place of what there was of their ids. @returns the ids of those whose place or type changed */
  put(tx: Tx, documents: readonly SearchDocument[]): Promise<string[]>
  remove(tx: Tx, kind: SearchKind, ids: readonly string[]): Promise<void>
  /** Of a kind whose documents no table takes along. */
  removeAllBut(tx: Tx, kind: 'strain', ids: readonly string[]): Promise<void>
  /**
   * The next matches after a place, the best first.
   * @throws AppError unavailable when it takes too long
   */
  find(question: SearchQuestion, after: SearchPlace | null, limit: number): Promise<SearchMatches>
  /**
   * What is found by words, or people's names, that are written much like those of the question: for one that finds nothing. Whether that
   * is so is for the caller to know, who knows what the viewer sees: what they may not see must not be told by what is left out.
   * @throws as `find`
   */
  findAlike(question: SearchQuestion, after: SearchPlace | null, limit: number): Promise<SearchMatches>
  /** The best matches of each kind by their names. @throws as `find` */
  findOfEach(question: SearchQuestion, kinds: readonly SearchKind[], limit: number): Promise<SearchMatches>
  /**
   * Of each kind up to so many of what `find` finds, for counting: where there are more, any of them. Empty where nothing is asked for.
   * @throws as `find`
   */
  sampleOfEach(question: SearchQuestion, kinds: readonly SearchKind[], limit: number): Promise<SearchSample[]>
  /** Forgets words that stand in no name any more. */
  prune(): Promise<void>
}

export type SearchDocument = {
  id: string
  kind: SearchKind
  title: string
  /** More names by which it is found as it is by its title: the brand of a product. */
  names: readonly string[]
  /** Found by whole words. */
  text: string
  /** What comes first among equal matches. */
  quality: number
  state: string | null
  businessType: BusinessType | null
  pin: Point | null
  /** Everybody may know the words of its names, so that what is much like them is recognized. */
  isCommonKnowledge: boolean
}

export type SearchQuestion = {
  text: string
  kinds: readonly SearchKind[] | null
  state: string | null
  businessType: BusinessType | null
  area: { center: Point; radiusMiles: number } | null
}

/** Where a match stands among all: first by how it matches, then by a score, then by its id. */
export type SearchPlace = { stage: number; score: number; id: string }

/** Matches of `findAlike` stand in this stage or a later one. */
export const alikeFrom = 4

export type SearchMatch = SearchPlace & {
  kind: SearchKind
  /** By words that are written much like those of the question. */
  isAlike: boolean
  distanceMiles: number | null
}

export type SearchMatches = {
  matches: SearchMatch[]
  /** Words that took the place of the question's. */
  alikeWords: string[]
  hasMore: boolean
}

export type SearchSample = { kind: SearchKind; ids: string[]; hasMore: boolean }

/** What has a table of its own; strains come from a file. */
export type IndexedSubject = Exclude<SearchKind, 'strain'>

/**
 * Has these subjects indexed again once the transaction is there for others. To be called by whatever writes the words of a business, a
 * product, a post, a person or a community; what is deleted leaves the index by itself, and what is hidden is not shown.
 */
export const markForSearch = (tx: Tx, kind: IndexedSubject, ids: readonly string[]): Promise<unknown> =>
  ids.length === 0
    ? Promise.resolve()
    : tx
        .insertInto('search_changes')
        .values(ids.map((subject_id) => ({ id: newId(), kind, subject_id })))
        .execute()

/** Has everything looked at again, in the background: after a load that went past `markForSearch`. */
export const askForSearchPass = (tx: Tx): Promise<unknown> =>
  tx.updateTable('search_state').set({ is_pass_wanted: true }).where('is_pass_wanted', '=', false).execute()
