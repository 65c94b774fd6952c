import { type Insertable, type SqlBool, sql } from 'kysely'
import type { CommunityCategory, CommunityRole, CommunitySort } from '#contracts/communities.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { containsWord } from '#server/features/businesses/index.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { newestAfter } from '#server/kernel/keyset.ts'
import type { NotifiedSubject } from '#server/kernel/notified-subject.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { communityAccess, isBanned, isInvited, readsCommunity } from './community-access.ts'

/** The value of `communities.search_text`. The line break prevents matches across fields. */
export const communitySearchText = (community: { name: string; description: string }): string =>
  foldText(`${community.name}\n${community.description}`)

/** Must match the condition of the partial indexes. */
export const isListed = sql<boolean>`(communities.visibility <> 'private' and communities.moderation is null)`

type Filter = { words: readonly string[]; category: CommunityCategory | undefined }

export type ListKey = { id: string; name: string; is_verified: boolean; member_count: number }
export type After = { id: string; name?: string; isVerified?: boolean; memberCount?: number } | null

const name = sql<string>`lower(communities.name) collate "C"`

export async function keysOfListed(db: Db, filter: Filter, sort: CommunitySort, after: After, limit: number): Promise<ListKey[]> {
  let query = db
    .selectFrom('communities')
    .select(['id', 'is_verified', 'member_count', name.as('name')])
    .where(isListed)
    .limit(limit)
  if (filter.category) query = query.where('category', '=', filter.category)
  for (const word of filter.words) query = query.where(sql<SqlBool>`${containsWord(sql.ref('communities.search_text'), word)}`)
  if (sort === 'newest') {
    if (after) query = query.where('id', '<', after.id)
    return query.orderBy('id', 'desc').execute()
  }
  if (sort === 'name') {
    if (after) query = query.where(sql<boolean>`(${name}, communities.id) > (${after.name ?? ''} collate "C", ${after.id}::uuid)`)
    return query.orderBy(name).orderBy('id').execute()
  }
  if (after) {
    const key = sql`(${after.isVerified ?? false}::boolean, ${after.memberCount ?? 0}::integer, ${after.id}::uuid)`
    query = query.where(sql<boolean>`(communities.is_verified, communities.member_count, communities.id) < ${key}`)
  }
  return query.orderBy('is_verified', 'desc').orderBy('member_count', 'desc').orderBy('id', 'desc').execute()
}

export const countsByCategory = (db: Db) =>
  db
    .selectFrom('communities')
    .select((eb) => ['category', eb.fn.countAll<number>().as('count')])
    .where(isListed)
    .groupBy('category')
    .execute()

export const keysOfJoined = (db: Db, userId: string, after: readonly [joinedAt: string, id: string] | null, limit: number) =>
  db
    .selectFrom('community_members')
    .innerJoin('communities', 'communities.id', 'community_members.community_id')
    .select(['communities.id', 'community_members.joined_at'])
    .where('community_members.user_id', '=', userId)
    .where((eb) => eb.or([eb('communities.moderation', 'is', null), eb('community_members.role', '=', 'owner')]))
    .$call((rows) => newestAfter(rows, 'community_members.joined_at', 'community_members.community_id', after))
    .limit(limit)
    .execute()

export type CommunityRow = Awaited<ReturnType<typeof communityRows>>[number]

/** The communities as the viewer sees them, unordered. Includes communities hidden from the viewer (`access` null). */
export const communityRows = (db: Db, viewerId: string, ids: readonly string[], now: Date) => {
  const viewer = sql`${viewerId}::uuid`
  const at = sql<Date>`${now}::timestamptz`
  const id = sql`communities.id`
  return db
    .selectFrom('communities')
    .leftJoin('community_members', (join) =>
      join.onRef('community_members.community_id', '=', 'communities.id').on('community_members.user_id', '=', viewerId),
    )
    .leftJoin('community_mutes', (join) =>
      join
        .onRef('community_mutes.community_id', '=', 'communities.id')
        .on('community_mutes.user_id', '=', viewerId)
        .on('community_mutes.ends_at', '>', now),
    )
    .select([
      'communities.id',
      'communities.slug',
      'communities.name',
      'communities.description',
      'communities.category',
      'communities.visibility',
      'communities.rules',
      'communities.image_id',
      'communities.is_verified',
      'communities.member_count',
      'communities.post_count',
      'communities.moderation',
      'communities.is_demo',
      'communities.created_at',
      'community_members.role',
      'community_mutes.ends_at as muted_until',
    ])
    .select([
      communityAccess(viewer, now).as('access'),
      isBanned(viewer, id, at).as('is_banned'),
      sql<boolean>`exists (
        select from community_requests where community_requests.community_id = ${id} and community_requests.user_id = ${viewer})`.as(
        'is_requested',
      ),
      isInvited(viewer, id, at).as('is_invited'),
      sql<number | null>`(case when community_members.role in ('owner', 'moderator') then (
        select count(*)::integer from community_requests where community_requests.community_id = ${id}
          and ${isNotBlocked(viewer, sql`community_requests.user_id`)}) end)`.as('requests_count'),
    ])
    .where(sql<boolean>`communities.id = ${pageIds(ids)}`)
    .execute()
}

export async function idOfSlug(db: Db, slug: string): Promise<string | undefined> {
  const row = await db.selectFrom('communities').select('id').where('slug', '=', slug).executeTakeFirst()
  return row?.id
}

/** @returns whether the slug was free */
export async function insertCommunity(
  tx: Tx,
  row: Insertable<DB['communities']> & { name: string; description: string },
): Promise<boolean> {
  const added = await tx
    .insertInto('communities')
    .values({ ...row, search_text: communitySearchText(row) })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await markForSearch(tx, 'community', [added.id])
  return added !== undefined
}

export const countOwned = (db: Db, userId: string): Promise<number> =>
  countRows(
    db
      .selectFrom('community_members')
      .where('user_id', '=', userId)
      .where('role', '=', 'owner' satisfies CommunityRole),
  )

/** The count includes only visible posts. Requires a lock on the community (`requireCommunity` with a lock, or `lockCommunity`). */
export async function changePostCount(tx: Tx, communityId: string, by: number): Promise<void> {
  await tx
    .updateTable('communities')
    .set((eb) => ({ post_count: eb('post_count', '+', by) }))
    .where('id', '=', communityId)
    .execute()
}

export type NotifiedCommunity = { slug: string; name: string }

/** Notifications of a request to join are shown to current moderators; those of an invitation are shown while it is open. */
export const notifiedCommunities: NotifiedSubject<NotifiedCommunity> = (asked, viewer) => {
  const id = sql`${viewer.id}::uuid`
  const now = sql<Date>`${viewer.now}::timestamptz`
  const access = communityAccess(id, viewer.now)
  return sql`
    select asked.id, jsonb_build_object('slug', communities.slug, 'name', communities.name) as facts
    from ${asked} asked join communities on communities.id = asked.community_id
    where case asked.type
      when 'community_request' then ${access} in ('moderate', 'own')
      when 'community_invitation' then ${access} is not null and ${isInvited(id, sql`communities.id`, now)}
      else ${readsCommunity(id, sql`communities.id`, now)}
    end`
}
