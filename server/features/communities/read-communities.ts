import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { communityCategories } from '#contracts/choices.ts'
import type { listCommunities as listCall, listMyCommunities as myCall } from '#contracts/communities.endpoints.ts'
import type { Community, CommunityCategory, CommunityStats, CommunitySuggestion } from '#contracts/communities.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { searchWords } from '#server/features/businesses/index.ts'
import type { MayReadMedia } from '#server/features/media/index.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import {
  type After,
  type CommunityRow,
  communityRows,
  countsByCategory,
  idOfSlug,
  isListed,
  keysOfJoined,
  keysOfListed,
  type ListKey,
} from './communities.queries.ts'
import { type CommunityAccess, grantsAccess, isBanned, mayDelete } from './community-access.ts'

type Viewer = Pick<Actor, 'id'>
type Query = Parsed<(typeof listCall)['query']>

/** Excludes private communities, even for their members, who have their own list. */
export async function listCommunities(db: Db, viewer: Viewer, query: Query, now: Date): Promise<Page<Community>> {
  const filter = { words: searchWords(query.q), category: query.category }
  const keys = await keysOfListed(db, filter, query.sort, afterOf(query), query.limit + 1)
  const { items, nextCursor } = toPage(keys, query.limit, (key) => cursorOf(query.sort, key))
  return { items: await readCommunities(db, viewer, idsOf(items), now), nextCursor }
}

const idsOf = (keys: readonly { id: string }[]) => keys.map(({ id }) => id)

function cursorOf(sort: Query['sort'], { id, name, is_verified, member_count }: ListKey): (string | number)[] {
  if (sort === 'newest') return [id]
  return sort === 'name' ? [name, id] : [Number(is_verified), member_count, id]
}

function afterOf({ sort, cursor }: Query): After {
  if (sort === 'newest') {
    const key = decodeCursor(cursor, ['id'])
    return key && { id: key[0] }
  }
  if (sort === 'name') {
    const key = decodeCursor(cursor, ['string', 'id'])
    return key && { name: key[0], id: key[1] }
  }
  const key = decodeCursor(cursor, ['integer', 'integer', 'id'])
  return key && { isVerified: key[0] === 1, memberCount: key[1], id: key[2] }
}

export async function listMyCommunities(
  db: Db,
  viewer: Viewer,
  query: Parsed<(typeof myCall)['query']>,
  now: Date,
): Promise<Page<Community>> {
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const keys = await keysOfJoined(db, viewer.id, after, query.limit + 1)
  const { items, nextCursor } = toPage(keys, query.limit, ({ joined_at, id }) => [joined_at.toISOString(), id])
  return { items: await readCommunities(db, viewer, idsOf(items), now), nextCursor }
}

/** Includes categories without a community. */
export async function countCommunities(db: Db): Promise<{ category: CommunityCategory; count: number }[]> {
  const counts = new Map((await countsByCategory(db)).map(({ category, count }) => [category, count]))
  return communityCategories.map((category) => ({ category, count: counts.get(category) ?? 0 }))
}

/** What a person did in their current communities, as far as others can see it. */
export async function getCommunityStats(db: Db, viewer: Viewer): Promise<CommunityStats> {
  const [communities, posted, comments] = await Promise.all([
    db
      .selectFrom('community_members')
      .innerJoin('communities', 'communities.id', 'community_members.community_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', viewer.id)
      .where((eb) => eb.or([eb('communities.moderation', 'is', null), eb('community_members.role', '=', 'owner')]))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('posts')
      .innerJoin('community_members', 'community_members.community_id', 'posts.community_id')
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('posts.likes_count').as('likes')])
      .where('posts.author_id', '=', viewer.id)
      .where('community_members.user_id', '=', viewer.id)
      .where('posts.moderation', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('comments')
      .innerJoin('posts', 'posts.id', 'comments.post_id')
      .innerJoin('community_members', 'community_members.community_id', 'posts.community_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('comments.author_id', '=', viewer.id)
      .where('community_members.user_id', '=', viewer.id)
      .where('comments.is_deleted', '=', false)
      .where('comments.moderation', 'is', null)
      .where('posts.moderation', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { communities: communities.count, posts: posted.count, comments: comments.count, likes: posted.likes ?? 0 }
}

const maxSuggestions = 5
/** With fewer followed members, a suggestion would reveal an individual's membership. */
const minMembers = 3

/**
 * Suggests communities with several people the actor follows first, then ones in the categories of the actor's communities,
 * then the largest. Private communities are neither suggested nor used as a reason, and people without a public profile don't
 * count. May return only a few.
 */
export async function suggestCommunities(db: Db, actor: Pick<Actor, 'id'>, now: Date): Promise<CommunitySuggestion[]> {
  const viewer = sql`${actor.id}::uuid`
  const { rows } = await sql<{ id: string; people: number; is_known_category: boolean }>`
    with mine as (
      select distinct communities.category from community_members join communities on communities.id = community_members.community_id
      where community_members.user_id = ${viewer} and communities.visibility <> 'private'),
    followed as (
      select community_members.community_id, count(*)::integer as people
      from person_follows
      join users on users.id = person_follows.person_id and users.is_profile_public
      join community_members on community_members.user_id = person_follows.person_id
      join communities on communities.id = community_members.community_id and communities.visibility = 'public'
      where person_follows.follower_id = ${viewer} and ${isNotBlocked(viewer, sql`person_follows.person_id`)}
      group by community_members.community_id having count(*) >= ${minMembers})
    select communities.id, coalesce(followed.people, 0) as people, communities.category in (select category from mine) as is_known_category
    from communities left join followed on followed.community_id = communities.id
    where ${isListed}
      and not exists (select from community_members
        where community_members.community_id = communities.id and community_members.user_id = ${viewer})
      and not exists (select from community_requests
        where community_requests.community_id = communities.id and community_requests.user_id = ${viewer})
      and not ${isBanned(viewer, sql`communities.id`, sql<Date>`${now}::timestamptz`)}
    order by people desc, is_known_category desc, communities.member_count desc, communities.id desc
    limit ${maxSuggestions}`.execute(db)
  const reasons = new Map(rows.map((row) => [row.id, row]))
  const communities = await readCommunities(db, actor, [...reasons.keys()], now)
  return communities.map((community) => {
    const reason = reasons.get(community.id)
    return { community, because: reason?.people ? 'people' : reason?.is_known_category ? 'category' : 'size' }
  })
}

/**
 * Builds a community as the viewer sees it. `access` may exceed the viewer's own: a person with an invitation link sees its public
 * part before joining.
 */
function toCommunity(row: CommunityRow, access: CommunityAccess): Community {
  const isOutside = row.role === null && row.moderation === null && !row.is_banned
  const mayJoin = isOutside && (row.visibility === 'public' || row.is_invited)
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    category: row.category,
    memberCount: row.member_count,
    postCount: grantsAccess(access, 'read') ? row.post_count : null,
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
      read: grantsAccess(access, 'read'),
      post: grantsAccess(access, 'write'),
      join: mayJoin,
      request: isOutside && !mayJoin && !row.is_requested && row.visibility === 'invite_only',
      leave: row.role !== null && row.role !== 'owner',
      invite: grantsAccess(access, 'moderate'),
      moderate: grantsAccess(access, 'moderate'),
      edit: grantsAccess(access, 'own'),
      delete: mayDelete(access, row.moderation !== null && row.role === 'owner'),
    },
  }
}

/** A community's picture is visible to anyone who can see the community. People with a link to a private one see it after joining. */
export const mayReadCommunityPicture: MayReadMedia = async (db, actor, communityIds, now) => {
  const known = await readCommunities(db, actor, communityIds, now)
  return known.length > 0
}

/** @throws AppError not_found if it is hidden from the viewer */
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
  // An invited person can't load the picture of a community that is still hidden from them.
  return row.access ? toCommunity(row, row.access) : { ...toCommunity(row, 'see'), imageUrl: null }
}
