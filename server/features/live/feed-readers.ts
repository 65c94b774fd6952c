import { sql } from 'kysely'
import type { PostType } from '../../../contracts/posts.ts'
import type { Db } from '../../db/connect.ts'
import { audienceOf } from '../posts/index.ts'

/** Into whose feed a post belongs, of these people: they follow its business or its author, and may see it. */
export async function feedReaders(
  db: Db,
  postId: string,
  userIds: readonly string[],
  now: Date,
): Promise<{ postType: PostType; userIds: string[] }> {
  const { rows } = await sql<{ post_type: PostType; user_ids: string[] }>`
    select posts.post_type, case when posts.business_id is null
      then array(select f.follower_id from person_follows f where f.person_id = posts.author_id and f.follower_id = any(${userIds}::uuid[]))
      else array(select f.user_id from business_follows f where f.business_id = posts.business_id and f.user_id = any(${userIds}::uuid[]))
    end as user_ids
    from posts where posts.id = ${postId}::uuid`.execute(db)
  const [post] = rows
  if (!post) return { postType: 'update', userIds: [] }
  const audience = await audienceOf(db, postId, post.user_ids, now)
  return { postType: post.post_type, userIds: post.user_ids.filter((id) => audience.has(id)) }
}
