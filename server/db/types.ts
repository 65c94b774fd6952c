import pg from 'pg'

const { builtins } = pg.types

/** Parses bigint, the type of counts and sums. Throws if it isn't exact as a JavaScript number. */
export function parseInt8(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The bigint ${text} doesn't fit a JavaScript number; select it as text.`)
  return number
}

/**
 * Columns that we parse differently from pg:
 * - bigint: a number (pg: text)
 * - numeric: a number (pg: text). Averages and ratings are numeric; anything exact, such as money, is an integer.
 * - date: the text 'YYYY-MM-DD' (pg: midnight in the machine's time zone, which is another day elsewhere)
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInt8],
  [builtins.NUMERIC, Number],
  [builtins.DATE, String],
])

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}
