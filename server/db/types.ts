import pg from 'pg'

const { builtins } = pg.types

/** bigint, as counts and sums come: exact as a JavaScript number, or an error, never a rounded one. */
export function parseInt8(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The bigint ${text} does not fit a JavaScript number; select it as text.`)
  return number
}

/**
 * What columns become in JavaScript where pg's own choice is not ours:
 * - bigint: a number (pg: text)
 * - numeric: a number (pg: text). Averages and ratings are numeric; what must be exact, as money, is an integer.
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
