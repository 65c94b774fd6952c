import { sql } from 'kysely'
import type { PostInCommunity } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { type CommunityAccess, communityAccess, grantsAccess } from '#server/features/communities/index.ts'
import { loadPolls } from './like-post.ts'
import { type Linked, loadLinks } from './links.ts'
import type { Viewer } from './visible-posts.ts'

export type InCommunity = { place: PostInCommunity; access: CommunityAccess }

/** Community data of the posts that are in a community. Doesn't check whether the viewer may see the posts. */
export async function loadInCommunity(db: Db, viewer: Viewer, postIds: readonly string[]): Promise<Map<string, InCommunity>> {
  if (postIds.length === 0) return new Map()
  const rows = await communityRows(db, viewer, postIds)
  const pollIds = rows.filter((row) => row.post_type === 'poll').map((row) => row.post_id)
  const [polls, linkOf] = await Promise.all([loadPolls(db, viewer.id, pollIds, viewer.now), loadLinks(db, viewer, rows)])
  return new Map(
    rows.flatMap((row): [string, InCommunity][] => {
      const { access } = row
      if (access === null) return []
      const poll = polls.get(row.post_id) ?? null
      const isShown = row.moderation === null
      const place: PostInCommunity = {
        id: row.id,
        slug: row.slug,
        name: row.name,
        visibility: row.visibility,
        isPinned: row.pinned_at !== null,
        acceptedCommentId: row.accepted_comment_id,
        poll,
        link: linkOf(row),
        may: {
          pin: isShown && grantsAccess(access, 'moderate'),
          accept: isShown && row.post_type === 'question' && mayAccept(viewer.id, row.author_id, access),
          vote: isShown && poll !== null && !poll.isClosed && grantsAccess(access, 'write'),
        },
      }
      return [[row.post_id, { place, access }]]
    }),
  )
}

/** The post's author, if they may still write there, and the moderators may accept an answer. */
export const mayAccept = (viewerId: string, authorId: string, access: CommunityAccess): boolean =>
  grantsAccess(access, authorId === viewerId ? 'write' : 'moderate')

const communityRows = (db: Db, viewer: Viewer, postIds: readonly string[]) =>
  db
    .selectFrom('posts')
    .innerJoin('communities', 'communities.id', 'posts.community_id')
    .select(['posts.id as post_id', 'posts.author_id', 'posts.post_type', 'posts.pinned_at', 'posts.moderation'])
    .select(['posts.linked_hunt_id', 'posts.linked_business_id', 'posts.linked_product_id', 'posts.linked_strain'])
    .select(['communities.id', 'communities.slug', 'communities.name', 'communities.visibility'])
    .select([
      communityAccess(sql`${viewer.id}::uuid`, viewer.now).as('access'),
      // Deleted and moderated comments don't count as the answer.
      sql<string | null>`(select comments.id from comments where comments.id = posts.accepted_comment_id
        and not comments.is_deleted and comments.moderation is null)`.as('accepted_comment_id'),
    ])
    .where(sql<boolean>`posts.id = any(${postIds}::uuid[])`)
    .execute() satisfies Promise<(Linked & { post_id: string })[]>
