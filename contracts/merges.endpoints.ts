import { Business, BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlug, IdOrSlugParams } from './fields.ts'
import * as z from './zod.ts'

/** What merging would do, before anyone decides. */
export const MergePreview = z.object({
  /** The business that is deleted. Its address redirects to the other one from then on. */
  from: BusinessSummary,
  into: BusinessSummary,
  /** Why they can't be merged now, and what to do about it; null if they can. */
  obstacle: z.nullable(z.string()),
  /** What the deleted business has. People who follow both are counted, too. */
  counts: z.object({
    followers: z.int(),
    subscribers: z.int(),
    favorites: z.int(),
    reviews: z.int(),
    /** Reviews of both that are taken off because their author has a newer one or is on the team. */
    reviewsTakenOff: z.int(),
    posts: z.int(),
    photos: z.int(),
    licenses: z.int(),
    menuItems: z.int(),
    conversations: z.int(),
  }),
  /** Its menu is deleted, because the remaining business has one. */
  losesMenu: z.boolean(),
})
export type MergePreview = z.infer<typeof MergePreview>

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
  summary: 'Merge a business into another one for good, as a moderator or the owner of both. Returns the remaining business. Idempotent.',
  tag: 'Merges',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ into: IdOrSlug }),
  response: Business,
})
