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
  /** The writer said that the business gave them something for free. */
  isFreebie: z.boolean(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  user: z.object({ id: Id, firstName: z.nullable(z.string()), lastName: z.nullable(z.string()), imageUrl: z.nullable(z.string()) }),
  helpfulCount: z.int(),
  /** Whether the viewer found it helpful. */
  isHelpful: z.boolean(),
  isOwn: z.boolean(),
  /** Of one's own: held until a moderator has looked, or taken from view by one; counted nowhere. */
  moderation: z.nullable(z.enum(['held', 'hidden', 'removed'])),
  /** While it is held: why, in sentences for its writer. Else empty. */
  heldFor: z.array(z.string()),
  /** The business's answer. */
  reply: z.nullable(z.object({ content: z.string(), createdAt: z.iso.datetime() })),
  abilities: z.object({
    markHelpful: z.boolean(),
    reply: z.boolean(),
    report: z.boolean(),
    /** Block its writer in the name of the business. The review stays. */
    block: z.boolean(),
  }),
})
export type Rating = z.infer<typeof Rating>

export const ratingSorts = ['newest', 'helpful', 'highest', 'lowest'] as const
export type RatingSort = (typeof ratingSorts)[number]

export const listRatings = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/ratings',
  summary: "A business's reviews",
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
  /** How many gave 1, 2, 3, 4 and 5 stars. */
  counts: z.array(z.int()).check(z.length(5)),
  /** The viewer's own review. */
  own: z.nullable(Rating),
  /** Whether the viewer may write one, and if not, why. */
  mayReview: z.boolean(),
  refusal: z.nullable(z.string()),
})
export type RatingSummary = z.infer<typeof RatingSummary>

export const getRatingSummary = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/ratings/summary',
  summary: "The distribution of a business's reviews, and the viewer's own",
  tag: 'Reviews',
  access: 'public',
  params: IdOrSlugParams,
  response: RatingSummary,
})

export const saveRating = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/rating',
  summary: "Write or change one's review of a business; its own people cannot",
  tag: 'Reviews',
  access: 'member',
  words: 'published',
  params: IdOrSlugParams,
  body: z.object({ rating: Stars, review: z._default(line(4000), ''), isFreebie: z._default(z.boolean(), false) }),
  response: RatingSummary,
})

export const deleteRating = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/rating',
  summary: "Take one's review of a business back; taking it back again changes nothing",
  tag: 'Reviews',
  access: 'member',
  params: IdOrSlugParams,
  response: RatingSummary,
})

const HelpfulState = z.object({ id: Id, isHelpful: z.boolean(), helpfulCount: z.int() })

export const markHelpful = endpoint({
  method: 'PUT',
  path: '/api/ratings/:id/helpful',
  summary: 'Say that a review helped; saying it again changes nothing',
  tag: 'Reviews',
  access: 'member',
  params: IdParams,
  response: HelpfulState,
})

export const unmarkHelpful = endpoint({
  method: 'DELETE',
  path: '/api/ratings/:id/helpful',
  summary: 'Take that back',
  tag: 'Reviews',
  access: 'member',
  params: IdParams,
  response: HelpfulState,
})

export const replyToRating = endpoint({
  method: 'PUT',
  path: '/api/ratings/:id/reply',
  summary: "The business's answer to a review, written or changed by those who run it",
  tag: 'Reviews',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z.object({ content: line(2000, 'Write something first') }),
  response: Rating,
})

export const deleteReply = endpoint({
  method: 'DELETE',
  path: '/api/ratings/:id/reply',
  summary: "Take the business's answer back",
  tag: 'Reviews',
  access: 'member',
  params: IdParams,
  response: Rating,
})
