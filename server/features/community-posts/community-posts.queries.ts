import { type RawBuilder, sql } from 'kysely'
import type { CommunityPostType } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { readsCommunity } from '#server/features/communities/index.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import { isAfter } from '#server/features/posts/index.ts'

export type PostKey = { id: string; created_at: Date }
type After = readonly [createdAt: string, id: string] | null
type Selection = { type: CommunityPostType | undefined; tag: string | undefined; after: After; limit: number }

const newestFirst = sql`order by posts.created_at desc, posts.id desc`

/** A community's posts that can be listed for the viewer. The caller has checked that the viewer can read it. */
const listed = (viewerId: string, communityId: RawBuilder<unknown>, { type, tag, after }: Omit<Selection, 'limit'>) => sql`
  posts.community_id = ${communityId} and posts.moderation is null
    and ${type === undefined ? sql`true` : sql`posts.post_type = ${type}`}
    and ${tag === undefined ? sql`true` : sql`posts.tags @> array[${tag}]::text[]`}
    and ${isAfter(after)}
    and ${isNotBlocked(sql`${viewerId}::uuid`, sql`posts.author_id`)}`

export async function postKeys(db: Db, viewerId: string, communityId: string, selection: Selection): Promise<PostKey[]> {
  const { rows } = await sql<PostKey>`
    select posts.id, posts.created_at from posts
    where ${listed(viewerId, sql`${communityId}::uuid`, selection)}
    ${newestFirst} limit ${selection.limit}`.execute(db)
  return rows
}

/** Most recently pinned first. */
export async function pinnedKeys(db: Db, viewerId: string, communityId: string, max: number): Promise<PostKey[]> {
  const { rows } = await sql<PostKey>`
    select posts.id, posts.created_at from posts
    where posts.community_id = ${communityId}::uuid and posts.pinned_at is not null and posts.moderation is null
      and ${isNotBlocked(sql`${viewerId}::uuid`, sql`posts.author_id`)}
    order by posts.pinned_at desc, posts.id limit ${max}`.execute(db)
  return rows
}

/**
 * The newest posts of the person's communities. As in the feed of followed people, the cost depends on their number: only the newest
 * post of each is looked up, and only the `limit` communities with the newest ones are read further.
 */
export async function memberPostKeys(db: Db, viewerId: string, selection: Selection, now: Date): Promise<PostKey[]> {
  const viewer = sql`${viewerId}::uuid`
  const of = (communityId: RawBuilder<unknown>, max: RawBuilder<unknown>) => sql`
    select posts.id, posts.created_at from posts where ${listed(viewerId, communityId, selection)} ${newestFirst} limit ${max}`
  const max = sql.lit(selection.limit)
  const { rows } = await sql<PostKey>`
    with mine as materialized (
      select community_members.community_id from community_members
      where community_members.user_id = ${viewer} and ${readsCommunity(viewer, sql`community_members.community_id`, sql<Date>`${now}::timestamptz`)}
    ), sources as materialized (
      select mine.community_id from mine cross join lateral (${of(sql`mine.community_id`, sql`1`)}) as newest
      order by newest.created_at desc, newest.id desc limit ${max}
    )
    select page.id, page.created_at
    from sources cross join lateral (${of(sql`sources.community_id`, max)}) as page
    order by page.created_at desc, page.id desc limit ${max}`.execute(db)
  return rows
}
