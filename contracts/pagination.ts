import { maxPageSize } from './limits.ts'
import { withoutNul } from './text.ts'
import * as z from './zod.ts'

export const defaultPageSize = 20

export const numeric = (check: z.ZodMiniNumber) => z.pipe(z.transform(toNumber), check)
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}

export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  numeric(z.int('Must be a whole number').check(z.minimum(min, `Must be at least ${min}`), z.maximum(max, `Must be at most ${max}`)))

/** Query fields of every list: `z.object({ ...page, … })`. The cursor is opaque to clients. */
export const page = {
  limit: z._default(wholeNumber(1, maxPageSize), defaultPageSize),
  cursor: z.optional(z.string().check(z.maxLength(500), withoutNul)),
}
