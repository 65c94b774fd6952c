import { Id, line, Version } from './fields.ts'
import { maxReviewPhotos } from './limits.ts'
import { Media } from './media.ts'
import * as z from './zod.ts'

const Stars = z.int().check(z.minimum(1, 'Choose 1 to 5 stars'), z.maximum(5, 'Choose 1 to 5 stars'))

export const Rating = z.object({
  id: Id,
  rating: Stars,
  review: z.nullable(z.string()),
  photos: z.array(Media),
  /** The author stated that the business gave them something for free. */
  isFreebie: z.boolean(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  user: z.object({ id: Id, firstName: z.nullable(z.string()), lastName: z.nullable(z.string()), imageUrl: z.nullable(z.string()) }),
  helpfulCount: z.int(),
  isHelpful: z.boolean(),
  isOwn: z.boolean(),
  /** Set only on the viewer's own review. While it is set, the rating excludes the review. */
  moderation: z.nullable(z.enum(['held', 'hidden', 'removed'])),
  /** Sentences that tell the author why the review was held. */
  heldFor: z.array(z.string()),
  reply: z.nullable(
    z.object({
      content: z.string(),
      createdAt: z.iso.datetime(),
      /** Changes with the content. Send it with an edit or a deletion; an outdated version is rejected (409). */
      version: z.string(),
    }),
  ),
  abilities: z.object({
    markHelpful: z.boolean(),
    reply: z.boolean(),
    report: z.boolean(),
    /** Block the author on behalf of the business. The review stays up. */
    block: z.boolean(),
  }),
})
export type Rating = z.infer<typeof Rating>

export const ratingSorts = ['newest', 'helpful', 'highest', 'lowest'] as const
export type RatingSort = (typeof ratingSorts)[number]

export const RatingSummary = z.object({
  average: z.number(),
  total: z.int(),
  /** Reviews with 1, 2, 3, 4 and 5 stars. */
  counts: z.array(z.int()).check(z.length(5)),
  own: z.nullable(Rating),
  /** If false, `refusal` says why. */
  mayReview: z.boolean(),
  refusal: z.nullable(z.string()),
})
export type RatingSummary = z.infer<typeof RatingSummary>

export const NewRating = z.object({
  rating: Stars,
  review: z._default(line(4000), ''),
  isFreebie: z._default(z.boolean(), false),
  /** The author's processed uploads, in order. If omitted, the photos are unchanged. */
  photoIds: z.optional(z.array(Id).check(z.maxLength(maxReviewPhotos, `At most ${maxReviewPhotos} photos`))),
  /** The review's `editedAt` when its author loaded it. If omitted, changes made since then are overwritten. */
  editedAt: z.optional(z.nullable(z.iso.datetime())),
})

export const NewReply = z.object({
  content: line(2000, 'Write something first'),
  /** The reply's `version` as the writer read it, or null if there was none. If omitted, changes made since are overwritten. */
  version: z.optional(z.nullable(Version)),
})
