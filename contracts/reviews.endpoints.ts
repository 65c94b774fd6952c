import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams, page, Version } from './fields.ts'
import { BusinessByline } from './posts.ts'
import { NewRating, NewReply, Rating, RatingSummary, ratingSorts } from './reviews.ts'
import * as z from './zod.ts'

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

export const getRatingSummary = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/ratings/summary',
  summary: "Read a business's rating breakdown and your own review",
  tag: 'Reviews',
  access: 'public',
  params: IdOrSlugParams,
  response: RatingSummary,
})

const PersonReview = z.extend(
  z.pick(Rating, {
    ...{ id: true, rating: true, review: true, photos: true, isFreebie: true, createdAt: true, editedAt: true, reply: true },
    ...{ moderation: true, heldFor: true },
  }),
  { business: BusinessByline },
)
export type PersonReview = z.infer<typeof PersonReview>

export const listPersonReviews = endpoint({
  method: 'GET',
  path: '/api/people/:id/reviews',
  summary: "List a person's reviews, newest first; none if the profile is private, unless it's yours",
  tag: 'Reviews',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(PersonReview),
})

export const saveRating = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/rating',
  summary: "Write or change your review of a business. Its team can't review it. Returns 409 if you send an outdated `editedAt`.",
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
  summary: 'Remove your helpful vote, even if you no longer see the review',
  tag: 'Reviews',
  access: 'member',
  params: IdParams,
  response: HelpfulState,
})

export const replyToRating = endpoint({
  method: 'PUT',
  path: '/api/ratings/:id/reply',
  summary: "Write or change the business's reply to a review (team only). Returns 409 if you send an outdated `version`.",
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
  summary: "Delete the business's reply to a review. Returns 409 if you send an outdated `version`.",
  tag: 'Reviews',
  access: 'member',
  params: IdParams,
  query: z.object({ version: z.optional(Version) }),
  response: Rating,
})
