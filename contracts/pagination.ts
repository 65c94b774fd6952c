import * as z from 'zod/mini'

export const defaultPageSize = 20
export const maxPageSize = 100

/** A number that arrives in a query string. */
export const numeric = (check: z.ZodMiniNumber) => z.pipe(z.transform(toNumber), check)
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}

/** The fields of every list's query: `z.object({ ...page, … })`. The cursor is opaque to the client. */
export const page = {
  limit: z._default(numeric(z.number('Must be a number').check(z.int(), z.minimum(1), z.maximum(maxPageSize))), defaultPageSize),
  cursor: z.optional(z.string().check(z.maxLength(500))),
}
