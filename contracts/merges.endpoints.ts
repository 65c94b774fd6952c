import { Business, BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlug, IdOrSlugParams } from './fields.ts'
import * as z from './zod.ts'

export const MergePreview = z.object({
  /** The business that would be deleted. Its URL then redirects to the remaining one. */
  from: BusinessSummary,
  into: BusinessSummary,
  /** Why the businesses can't be merged and what to do about it. Null if they can. */
  obstacle: z.nullable(z.string()),
  /** Counts what the deleted business has, including people who follow both. */
  counts: z.object({
    followers: z.int(),
    subscribers: z.int(),
    favorites: z.int(),
    reviews: z.int(),
    /** Reviews of either business that would be removed because their author has a newer one or is on the team. */
    reviewsTakenOff: z.int(),
    posts: z.int(),
    photos: z.int(),
    licenses: z.int(),
    menuItems: z.int(),
    conversations: z.int(),
  }),
  losesMenu: z.boolean(),
})
export type MergePreview = z.infer<typeof MergePreview>

export const previewMerge = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/merge',
  summary: 'Preview merging one business into another, as a moderator or the owner of both',
  tag: 'Merges',
  access: 'member',
  params: IdOrSlugParams,
  query: z.object({ into: IdOrSlug }),
  response: MergePreview,
})

export const mergeBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/merge',
  summary: 'Permanently merge a business into another, as a moderator or the owner of both. Returns the remaining business. Idempotent.',
  tag: 'Merges',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ into: IdOrSlug }),
  response: Business,
})
