import { isUuid } from '#contracts/addresses.ts'
import type { Community } from '#contracts/communities.ts'
import type { Db } from '#server/db/connect.ts'
import type { MayReadMedia } from '#server/features/media/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { notFound } from '#server/kernel/errors.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { type CommunityRow, communityRows, idOfSlug } from './communities.queries.ts'
import { type CommunityAccess, reaches } from './community-access.ts'

/**
 * Builds a community as the viewer sees it. `access` may exceed the viewer's own: a person with an invitation link sees its public
 * part before joining.
 */
export function toCommunity(row: CommunityRow, access: CommunityAccess): Community {
  const isOutside = row.role === null && row.moderation === null && !row.is_banned
  const mayJoin = isOutside && (row.visibility === 'public' || row.is_invited)
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    category: row.category,
    memberCount: row.member_count,
    postCount: reaches(access, 'read') ? row.post_count : null,
    isVerified: row.is_verified,
    imageUrl: bylinePicture(row.image_id),
    visibility: row.visibility,
    rules: row.rules,
    createdAt: row.created_at.toISOString(),
    isDemo: row.is_demo,
    isHidden: row.moderation !== null,
    myRole: row.role,
    mutedUntil: row.muted_until?.toISOString() ?? null,
    isRequested: row.is_requested,
    isInvited: row.is_invited,
    requestsCount: row.requests_count,
    abilities: {
      read: reaches(access, 'read'),
      post: reaches(access, 'write'),
      join: mayJoin,
      request: isOutside && !mayJoin && !row.is_requested && row.visibility === 'invite_only',
      leave: row.role !== null && row.role !== 'owner',
      invite: reaches(access, 'moderate'),
      moderate: reaches(access, 'moderate'),
      edit: reaches(access, 'own'),
      delete: reaches(access, 'own'),
    },
  }
}

/** A community's picture is visible to those who can see the community. People with a link to a private one see it after joining. */
export const mayReadCommunityPicture: MayReadMedia = async (db, actor, communityIds, now) => {
  const known = await readCommunities(db, actor, communityIds, now)
  return known.length > 0
}

type Viewer = Pick<Actor, 'id'>

/** By ID or slug. @throws AppError not_found if it is hidden from the viewer */
export async function loadCommunity(db: Db, viewer: Viewer, idOrSlug: string, now: Date): Promise<Community> {
  const id = isUuid(idOrSlug) ? idOrSlug : await idOfSlug(db, idOrSlug)
  const [community] = id === undefined ? [] : await readCommunities(db, viewer, [id], now)
  if (!community) throw notFound('Community not found.')
  return community
}

/** Keeps the order of the IDs and leaves out communities hidden from the viewer. */
export async function readCommunities(db: Db, viewer: Viewer, ids: readonly string[], now: Date): Promise<Community[]> {
  if (ids.length === 0) return []
  const rows = await communityRows(db, viewer.id, ids, now)
  const seen = new Map(rows.flatMap((row) => (row.access ? [[row.id, toCommunity(row, row.access)]] : [])))
  return ids.flatMap((id) => seen.get(id) ?? [])
}

/** What a person with an open invitation sees before accepting it; undefined if they couldn't join. */
export async function readAsInvited(db: Db, viewer: Viewer, id: string, now: Date): Promise<Community | undefined> {
  const [row] = await communityRows(db, viewer.id, [id], now)
  if (!row || row.moderation !== null || row.is_banned) return undefined
  // The picture of a community that is still hidden from them couldn't be loaded.
  return row.access ? toCommunity(row, row.access) : { ...toCommunity(row, 'see'), imageUrl: null }
}
