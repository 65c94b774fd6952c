import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams } from './ids.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

const Stars = z.int().check(z.minimum(1, 'Choose 1 to 5 stars'), z.maximum(5, 'Choose 1 to 5 stars'))

export const Rating = z.object({
  id: Id,
  rating: Stars,
  review: z.nullable(z.string()),
  /** The author stated that they received something for free from the business. */
  isFreebie: z.boolean(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  user: z.object({ id: Id, firstName: z.nullable(z.string()), lastName: z.nullable(z.string()), imageUrl: z.nullable(z.string()) }),
  helpfulCount: z.int(),
  isHelpful: z.boolean(),
  isOwn: z.boolean(),
  /** Only for the viewer's own review: held for review, or moderated. Not counted then. */
  moderation: z.nullable(z.enum(['held', 'hidden', 'removed'])),
  /** If held, the reasons as sentences for the author; otherwise empty. */
  heldFor: z.array(z.string()),
  reply: z.nullable(z.object({ content: z.string(), createdAt: z.iso.datetime() })),
  abilities: z.object({
    markHelpful: z.boolean(),
    reply: z.boolean(),
    report: z.boolean(),
    /** Block its author on behalf of the business. The review stays. */
    block: z.boolean(),
  }),
})
export type Rating = z.infer<typeof Rating>

export const ratingSorts = ['newest', 'helpful', 'highest', 'lowest'] as const
export type RatingSort = (typeof ratingSorts)[number]

export const listRatings = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/ratings',
  summary: "List a business's reviews",
  tag: 'Reviews',
  access: 'public',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object({ ...page, sort: z._default(z.enum(ratingSorts), 'newest') }),
  response: z.array(Rating),
})

export const RatingSummary = z.object({
  average: z.number(),
  total: z.int(),
  /** Number of reviews with 1, 2, 3, 4 and 5 stars. */
  counts: z.array(z.int()).check(z.length(5)),
  own: z.nullable(Rating),
  /** If false, `refusal` says why. */
  mayReview: z.boolean(),
  refusal: z.nullable(z.string()),
})
export type RatingSummary = z.infer<typeof RatingSummary>

export const getRatingSummary = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/ratings/summary',
  summary: 'Read the rating breakdown of a business, and your own review',
  tag: 'Reviews',
  access: 'public',
  params: IdOrSlugParams,
  response: RatingSummary,
})

export const NewRating = z.object({ rating: Stars, review: z._default(line(4000), ''), isFreebie: z._default(z.boolean(), false) })

export const saveRating = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/rating',
  summary: "Write or change your review of a business; its own team can't",
  tag: 'Reviews',
  access: 'member',
  words: 'published',
  params: IdOrSlugParams,
  body: NewRating,
  response: RatingSummary,
})

export const deleteRating = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/rating',
  summary: 'Delete your review of a business. Idempotent.',
  tag: 'Reviews',
  access: 'member',
  params: IdOrSlugParams,
  response: RatingSummary,
})

const HelpfulState = z.object({ id: Id, isHelpful: z.boolean(), helpfulCount: z.int() })

export const markHelpful = endpoint({
  method: 'PUT',
  path: '/api/ratings/:id/helpful',
  summary: 'Mark a review as helpful. Idempotent.',
  tag: 'Reviews',
  access: 'member',
  params: IdParams,
  response: HelpfulState,
})

export const unmarkHelpful = endpoint({
  method: 'DELETE',
  path: '/api/ratings/:id/helpful',
  summary: 'Remove your helpful mark',
  tag: 'Reviews',
  access: 'member',
  params: IdParams,
  response: HelpfulState,
})

export const NewReply = z.object({ content: line(2000, 'Write something first') })

export const replyToRating = endpoint({
  method: 'PUT',
  path: '/api/ratings/:id/reply',
  summary: "Write or change the business's reply to a review, for its team",
  tag: 'Reviews',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: NewReply,
  response: Rating,
})

export const deleteReply = endpoint({
  method: 'DELETE',
  path: '/api/ratings/:id/reply',
  summary: "Delete the business's reply to a review",
  tag: 'Reviews',
  access: 'member',
  params: IdParams,
  response: Rating,
})
