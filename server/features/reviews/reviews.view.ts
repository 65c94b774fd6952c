import type { Rating } from '#contracts/reviews.ts'
import type { Db } from '#server/db/connect.ts'
import { hiddenName } from '#server/features/people/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { helpfulRefusal } from './reviews.policy.ts'
import { type ReviewRow, reviewerOf, reviewRows } from './reviews.queries.ts'

/** Reviews of one business as the viewer sees them, in the order of the ids. */
export async function loadRatings(db: Db, actor: Actor | null, businessId: string, ids: readonly string[]): Promise<Rating[]> {
  if (ids.length === 0) return []
  // Accounts without a birthday can't write yet, so no actions are offered.
  const viewer = actor?.birthday ? actor : null
  const [rows, reviewer] = await Promise.all([
    reviewRows(db, viewer?.id ?? null, ids),
    viewer ? reviewerOf(db, viewer.id, businessId) : null,
  ])
  const reasons = await reasonsOf(db, 'review', rows)
  const reader = { id: viewer?.id ?? null, runsBusiness: reviewer?.runsBusiness ?? false }
  const ratings = new Map(rows.map((row) => [row.id, toRating(row, reader, reasons.get(row.id) ?? [])]))
  return ids.flatMap((id) => ratings.get(id) ?? [])
}

/** A display name replaces the real name. */
function namesOf(row: ReviewRow): Pick<Rating['user'], 'firstName' | 'lastName'> {
  if (row.profile_moderation !== null) return { firstName: hiddenName, lastName: null }
  const displayName = row.display_name?.trim()
  return displayName ? { firstName: displayName, lastName: null } : { firstName: row.first_name, lastName: row.last_name }
}

type Reader = { id: string | null; runsBusiness: boolean }

function toRating(row: ReviewRow, { id: viewerId, runsBusiness }: Reader, heldFor: string[]): Rating {
  const isOwn = row.user_id === viewerId
  const isSomebody = viewerId !== null
  return {
    id: row.id,
    rating: row.rating,
    review: row.review,
    isFreebie: row.is_freebie,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    user: {
      id: row.user_id,
      ...namesOf(row),
      imageUrl: row.is_profile_public && row.profile_moderation === null ? bylinePicture(row.image_id) : null,
    },
    helpfulCount: row.helpful_count,
    isHelpful: row.voter_id !== null,
    isOwn,
    // Only its author gets this far with a moderated review.
    moderation: row.moderation,
    heldFor,
    reply: row.reply === null || row.replied_at === null ? null : { content: row.reply, createdAt: row.replied_at.toISOString() },
    abilities: {
      markHelpful: isSomebody && helpfulRefusal({ isOwn, runsBusiness }) === null,
      reply: runsBusiness,
      report: isSomebody && !isOwn,
      block: row.may_block,
    },
  }
}
