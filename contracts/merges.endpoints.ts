import { Business } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlug, IdOrSlugParams } from './fields.ts'
import { MergePreview } from './merges.ts'
import * as z from './zod.ts'

export const previewMerge = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/merge',
  summary: 'Read what merging a business into another one would do, as a moderator or the owner of both',
  tag: 'Merges',
  access: 'member',
  params: IdOrSlugParams,
  query: z.object({ into: IdOrSlug }),
  response: MergePreview,
})

export const mergeBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/merge',
  summary: 'Merge a business into another one for good, as a moderator or the owner of both. Returns the business that stays. Idempotent.',
  tag: 'Merges',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ into: IdOrSlug }),
  response: Business,
})
