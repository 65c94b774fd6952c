import * as z from 'zod/mini'
import { withoutNul } from './text.ts'

export const defaultPageSize = 20
export const maxPageSize = 100

/** A number that arrives in a query string. */
export const numeric = (check: z.ZodMiniNumber) => z.pipe(z.transform(toNumber), check)
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}

/** A whole number in a query string. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  numeric(z.int('Must be a whole number').check(z.minimum(min, `Must be at least ${min}`), z.maximum(max, `Must be at most ${max}`)))

/** The fields of every list's query: `z.object({ ...page, … })`. The cursor is opaque to the client. */
export const page = {
  limit: z._default(wholeNumber(1, maxPageSize), defaultPageSize),
  cursor: z.optional(z.string().check(z.maxLength(500), withoutNul)),
}
