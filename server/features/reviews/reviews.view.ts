import type { Rating } from '../../../contracts/reviews.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { bylinePicture } from '../../kernel/media-address.ts'
import { hiddenName } from '../people/index.ts'
import { reasonsOf } from '../screening/index.ts'
import { helpfulRefusal } from './reviews.policy.ts'
import { type ReviewRow, reviewRows, standingOf } from './reviews.queries.ts'

/** These reviews of one business, in the order of the ids, as the viewer sees them. */
export async function loadRatings(db: Db, actor: Actor | null, businessId: string, ids: readonly string[]): Promise<Rating[]> {
  if (ids.length === 0) return []
  // Without a birthday nothing can be written yet, so nothing is offered.
  const viewer = actor?.birthday ? actor : null
  const [rows, standing] = await Promise.all([
    reviewRows(db, viewer?.id ?? null, ids),
    viewer ? standingOf(db, viewer.id, businessId) : null,
  ])
  const reasons = await reasonsOf(db, 'review', rows)
  const reader = { id: viewer?.id ?? null, runsBusiness: standing?.runsBusiness ?? false }
  const ratings = new Map(rows.map((row) => [row.id, toRating(row, reader, reasons.get(row.id) ?? [])]))
  return ids.flatMap((id) => ratings.get(id) ?? [])
}

/** Whoever gave a display name goes by it, and by nothing else. */
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
    // To its writer: to others it is not there.
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
