/**
 * Readers of search parameters, for the router's `validateSearch`. A value that makes no sense is dropped, so that an old or mistyped link
 * still opens. By hand and not by a schema: the router needs these on every page, and Zod would come along into every first load.
 */
export type SearchParams = Record<string, unknown>

/**
 * For a route whose own code reads its address: what a reader in the route file weighs, everybody's first load weighs. The type says what
 * links may give; the screen reads what is really there.
 */
export const readLater = <Search>(search: SearchParams): Search => search as Search

/** Text without spaces around it, at most `longest` long; the router reads `search=80202` as a number. Empty is the same as absent. */
export function textParam(value: unknown, longest: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text !== '' && text.length <= longest ? text : undefined
}

/** One of the words. */
export function wordParam<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value)
}

/** A whole number from `least` to `most`. */
export function wholeParam(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined
}
