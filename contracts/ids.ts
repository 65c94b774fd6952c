import * as z from './zod.ts'

/** Normalized to lowercase, because file, group and cache keys contain it. */
export const Id = z.uuid('Must be an id').check(z.toLowerCase())

export const IdOrSlug = z.string().check(z.minLength(1), z.maxLength(120), z.regex(/^[a-z0-9-]+$/, 'Must be an id or a slug'))

export const IdParams = z.object({ id: Id })
export const IdOrSlugParams = z.object({ id: IdOrSlug })
