import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { hasMentions } from '#server/features/mentions/index.ts'
import { bylineColumns, unmoderatedName } from '#server/features/people/index.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'
import { announce, announceMentions, countShown, lockCounts, rankPosts, unrankPost } from './post-writes.queries.ts'

/** Held, hidden and removed posts aren't counted. */
export const moderatedPost: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('posts')
      .select(['id', 'author_id as userId', 'business_id as businessId', 'community_id as communityId'])
      .select(['moderation as state', 'created_at as createdAt'])
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },

  async set(tx, ctx, id, state) {
    const before = await tx.selectFrom('posts').select(['author_id', 'community_id']).where('id', '=', id).executeTakeFirst()
    if (!before) return
    await lockCounts(tx, before)
    const post = await tx.selectFrom('posts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!post || post.moderation === state) return
    const now = ctx.clock.now()
    // The cache key contains this time.
    await tx.updateTable('posts').set({ moderation: state, updated_at: now }).where('id', '=', id).execute()
    if (post.moderation !== null && state !== null) return
    await countShown(tx, post, state === null ? 1 : -1, now)
    if (post.community_id !== null) await (state === null ? rankPosts(tx, [id]) : unrankPost(tx, id))
    // A post that was held is announced when it becomes visible.
    if (post.moderation === 'held') {
      await announce(tx, ctx, post)
      if (await hasMentions(tx, { postId: id })) await announceMentions(tx, ctx, id)
    }
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('posts')
      .innerJoin('users', 'users.id', 'posts.author_id')
      .leftJoin('businesses', 'businesses.id', 'posts.business_id')
      .select(bylineColumns)
      .select([
        'posts.id as post_id',
        'posts.title',
        'posts.content',
        'posts.tags',
        'posts.place',
        'posts.created_at',
        'businesses.name as business_name',
      ])
      .select(sql<string[]>`array(select label from poll_options where poll_options.post_id = posts.id order by position)`.as('options'))
      .select(sql<string[]>`array(select media_id from post_media where post_media.post_id = posts.id order by position)`.as('media_ids'))
      .where(sql<boolean>`posts.id = any(${ids}::uuid[])`)
      .execute()
    return new Map(
      rows.map((row) => [
        row.post_id,
        {
          title: row.title,
          text: textOf(row),
          mediaIds: row.media_ids,
          path: `/post/${row.post_id}`,
          context: [
            {
              author: row.business_name ?? unmoderatedName(row),
              text: [row.title, textOf(row)].filter(Boolean).join('\n\n'),
              createdAt: row.created_at.toISOString(),
              isSubject: true,
            },
          ],
        },
      ]),
    )
  },
}

type Said = { content: string; options: string[]; tags: string[]; place: string | null }

/** Everything the filters screen: the text, poll options, tags and place. */
const textOf = ({ content, options, tags, place }: Said): string =>
  [content, options.map((option) => `- ${option}`).join('\n'), tags.map((tag) => `#${tag}`).join(' '), place].filter(Boolean).join('\n\n')
