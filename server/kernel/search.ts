import { sql } from 'kysely'
import type { BusinessType } from '#contracts/business-types.ts'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import type { Tx } from '#server/db/connect.ts'
import { foldText } from './fold-text.ts'
import type { Point } from './geo/distance.ts'
import { newId } from './ids.ts'

/**
 * The search index as an interface, which `server/adapters/search` implements in PostgreSQL. An index returns ordered IDs. On every search,
 * the features decide who may see the results: see server/features/search.
 */
export type SearchIndex = {
  /** Inserts or replaces these documents. @returns the IDs of businesses whose name, pin, state or type changed */
  put(tx: Tx, documents: readonly SearchDocument[]): Promise<string[]>
  remove(tx: Tx, kind: SearchKind, ids: readonly string[]): Promise<void>
  /** For a kind without a table of its own, so no deletes cascade to its documents. */
  removeAllBut(tx: Tx, kind: 'strain', ids: readonly string[]): Promise<void>
  /**
   * The next matches after `after`, best first.
   * @throws AppError unavailable if it takes too long
   */
  find(question: SearchQuery, after: SearchPosition | null, limit: number): Promise<SearchMatches>
  /**
   * Matches by similarly spelled words or names of people, for queries without results. The caller decides whether there are none, because
   * results that the viewer can't see must not suppress these matches.
   * @throws as `find`
   */
  findAlike(question: SearchQuery, after: SearchPosition | null, limit: number): Promise<SearchMatches>
  /** The best matches of each kind by name. @throws as `find` */
  findOfEach(question: SearchQuery, kinds: readonly SearchKind[], limit: number): Promise<SearchMatches>
  /**
   * Up to `limit` arbitrary matches of `find` per kind, for counting. Empty if the query has no words.
   * @throws as `find`
   */
  sampleOfEach(question: SearchQuery, kinds: readonly SearchKind[], limit: number): Promise<SearchSample[]>
  prune(): Promise<void>
}

export type SearchDocument = {
  id: string
  kind: SearchKind
  title: string
  /** Names that count like the title, such as a product's brand. */
  names: readonly string[]
  /** Matched by whole words. */
  text: string
  quality: number
  state: string | null
  businessType: BusinessType | null
  pin: Point | null
  /** The words in its names are public, so they may be used for spelling suggestions. */
  isCommonKnowledge: boolean
}

export type SearchQuery = {
  text: string
  kinds: readonly SearchKind[] | null
  state: string | null
  businessType: BusinessType | null
  area: SearchArea | null
  /** Where the person is. Among equally good matches, nearby ones come first. Not used within an `area`. */
  home?: SearchArea | null
}

export type SearchArea = { center: Point; radiusMiles: number }

/** Sorts matches by stage, then by score, then by ID. */
export type SearchPosition = { stage: number; score: number; id: string }

/** Matches of `findAlike` have this stage or a later one. */
export const firstAlikeStage = 4

export type SearchMatch = SearchPosition & {
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

/** Kinds with their own tables. Strains come from a file. */
export type IndexedSubject = Exclude<SearchKind, 'strain'>

/**
 * Reindexes these subjects after the transaction commits. Call whenever the text of a business, product, post, person or community changes.
 * Deleted subjects leave the index automatically, and hidden ones aren't shown.
 */
export const markForSearch = (tx: Tx, kind: IndexedSubject, ids: readonly string[]): Promise<unknown> =>
  ids.length === 0
    ? Promise.resolve()
    : sql`insert into search_changes (id, kind, subject_id)
        select id, ${kind}::text, subject_id from unnest(${ids.map(newId)}::uuid[], ${ids}::uuid[]) as change (id, subject_id)`.execute(tx)

/** Reindexes everything in the background after a bulk load that bypassed `markForSearch`. */
export const requestFullReindex = (tx: Tx): Promise<unknown> =>
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

export const queryWordsOf = (question: string): string[] => [...new Set(wordsOf(question))].slice(0, maxWords)

/** A shorter word is one typo away from too many others. */
export const shortestTypo = 4
const maxAlternatives = 3

/** Typos tolerated in a word: wrong, missing, extra or swapped letters. */
const toleratedTypos = (length: number) => (length < 8 ? 1 : 2)

export function nearest(word: string, all: readonly string[]): string[] {
  const candidates = all.filter((other) => other !== word)
  const maxSlips = toleratedTypos(word.length)
  const measured = candidates.map((other) => ({ other, slips: countTypos(word, other) })).filter(({ slips }) => slips <= maxSlips)
  const min = Math.min(...measured.map(({ slips }) => slips))
  return measured
    .filter(({ slips }) => slips === min)
    .slice(0, maxAlternatives)
    .map(({ other }) => other)
}

/** Damerau–Levenshtein distance (optimal string alignment, which swaps no letter twice). */
export function countTypos(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let min = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        min = Math.min(min, (beforeLast[j - 2] as number) + 1)
      row.push(min)
    }
    beforeLast = last
    last = row
  }
  return last[other.length] as number
}
