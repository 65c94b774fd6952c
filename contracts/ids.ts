import * as z from 'zod/mini'

/** In lower case, however it was written: keys of files, groups and caches are made of it. */
export const Id = z.uuid('Must be an id').check(z.toLowerCase())

/** A business is addressed by its id or by its slug. */
export const IdOrSlug = z.string().check(z.minLength(1), z.maxLength(120), z.regex(/^[a-z0-9-]+$/, 'Must be an id or a slug'))

export const IdParams = z.object({ id: Id })
export const IdOrSlugParams = z.object({ id: IdOrSlug })

export { isUuid } from './uuid.ts'
