import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { lockCommunity } from '#server/features/communities/index.ts'
import { removeMentions } from '#server/features/mentions/index.ts'
import { ensureFormerMember, lockPeople } from '#server/features/people/index.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { changePostsCount, countShown, countTags, rankPosts, removePost, replaceMedia, updatePostRow } from './post-writes.queries.ts'

const postsAtOnce = 20

/**
 * Personal posts are deleted. A post with comments by others remains without its text, because the comments are theirs; it is shown unless
 * moderators removed it. Posts for a business belong to the business.
 */
export const erasePosts: EraseStep = {
  name: 'posts',
  async eraseSome(ctx, { id: userId }) {
    const now = ctx.clock.now()
    const rows = await ctx.db
      .selectFrom('posts')
      .select(['id', 'community_id'])
      .where('author_id', '=', userId)
      .limit(postsAtOnce)
      .execute()
    for (const { id, community_id } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        const formerMember = await ensureFormerMember(tx, now)
        if (community_id !== null) await lockCommunity(tx, community_id)
        await lockPeople(tx, [userId, formerMember])
        const post = await lockOwnPost(tx, id, userId)
        if (!post) return
        if (post.business_id !== null) {
          await tx.updateTable('posts').set({ author_id: formerMember }).where('id', '=', post.id).execute()
        } else if (await hasWordsOfOthers(tx, post.id, userId)) {
          await emptyPost(tx, post, formerMember, now)
          if (post.moderation === 'held' || post.moderation === 'hidden') {
            await showEmptied(tx, { ...post, author_id: formerMember, tags: [] }, now)
          }
          if (post.moderation !== null) return
          if (post.community_id === null) {
            await changePostsCount(tx, userId, -1)
            await changePostsCount(tx, formerMember, 1)
          } else await countTags(tx, { communityId: post.community_id, tags: post.tags, createdAt: post.created_at }, -1, now)
        } else {
          const removed = await removePost(tx, post.id)
          if (removed?.moderation === null) await countShown(tx, removed, -1, now)
        }
      })
    }
    return rows.length
  },
}

/** Re-reads the post under a lock: another process may be deleting the same account, or a moderator may be acting on the post. */
const lockOwnPost = (tx: Tx, id: string, userId: string) =>
  tx
    .selectFrom('posts')
    .select(['id', 'post_type', 'business_id', 'community_id', 'tags', 'moderation', 'created_at'])
    .where('id', '=', id)
    .where('author_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

type OwnPost = NonNullable<Awaited<ReturnType<typeof lockOwnPost>>>

async function hasWordsOfOthers(tx: Tx, postId: string, userId: string): Promise<boolean> {
  const comment = await tx
    .selectFrom('comments')
    .select('id')
    .where('post_id', '=', postId)
    .where('author_id', '<>', userId)
    .where('is_deleted', '=', false)
    .limit(1)
    .executeTakeFirst()
  return comment !== undefined
}

async function emptyPost(tx: Tx, { id, post_type }: OwnPost, formerMember: string, now: Date): Promise<void> {
  await replaceMedia(tx, id, [])
  await tx.deleteFrom('polls').where('post_id', '=', id).execute()
  await removeMentions(tx, { postId: id })
  await updatePostRow(tx, id, {
    author_id: formerMember,
    title: 'Deleted post',
    content: 'The author of this post has deleted their account.',
    post_type: post_type === 'poll' ? 'discussion' : post_type,
    source_image_url: null,
    tags: [],
    place: null,
    linked_hunt_id: null,
    linked_business_id: null,
    linked_product_id: null,
    linked_strain: null,
    updated_at: now,
  })
}

/** Nothing is left in the post for moderators to judge, and no one else could ever show the comments of others again. */
async function showEmptied(tx: Tx, post: OwnPost & { author_id: string }, now: Date): Promise<void> {
  await updatePostRow(tx, post.id, { moderation: null })
  await countShown(tx, post, 1, now)
  await rankPosts(tx, [post.id])
}

const atOnce = 500

export const eraseLikes: EraseStep = {
  name: 'likes',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const rows = await tx.selectFrom('post_likes').select('post_id').where('user_id', '=', userId).limit(atOnce).execute()
      const ids = rows.map((row) => row.post_id)
      if (ids.length === 0) return 0
      await lockPosts(tx, ids)
      await sql`
        with gone as (delete from post_likes where user_id = ${userId}::uuid and post_id = any(${ids}::uuid[]) returning post_id)
        update posts set likes_count = likes_count - 1 where id in (select post_id from gone)`.execute(tx)
      await rankPosts(tx, ids)
      return ids.length
    }),
}

export const erasePollVotes: EraseStep = {
  name: 'poll-votes',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const rows = await tx.selectFrom('poll_votes').select('post_id').where('user_id', '=', userId).limit(atOnce).execute()
      const ids = rows.map((row) => row.post_id)
      if (ids.length === 0) return 0
      await lockPosts(tx, ids)
      await sql`
        with gone as (
          delete from poll_votes where user_id = ${userId}::uuid and post_id = any(${ids}::uuid[]) returning post_id, position),
        options as (
          update poll_options set votes_count = votes_count - 1 from gone
          where poll_options.post_id = gone.post_id and poll_options.position = gone.position)
        update polls set votes_count = votes_count - 1 where post_id in (select post_id from gone)`.execute(tx)
      return ids.length
    }),
}

/** In ID order, to prevent deadlocks. */
const lockPosts = (tx: Tx, ids: readonly string[]) =>
  sql`select from posts where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
