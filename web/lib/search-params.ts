// Parsers for the router's `validateSearch`. They drop invalid values, so old or mistyped links still open. They are handwritten, because
// the router loads them on every page and schemas would add Zod to the first load.

export type SearchParams = Record<string, unknown>

/** Leaves parsing to the screen, because parsers in route files add to every first load. The type describes what links may pass. */
export const parseLater = <Search>(search: SearchParams): Search => search as Search

/** Trims the text; undefined if it's empty or longer than `maxLength`. The router parses `search=80202` as a number. */
export function textParam(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text !== '' && text.length <= maxLength ? text : undefined
}

export function wordParam<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value)
}

export const flagParam = (value: unknown): true | undefined => value === true || undefined

/** Leaves out values that aren't set. */
export const withoutUnset = <Search extends object>(search: { [Key in keyof Search]: Search[Key] | undefined }): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search

export function wholeParam(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}
