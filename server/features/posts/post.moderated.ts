import { sql } from 'kysely'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { hasMentions } from '#server/features/mentions/index.ts'
import { bylineColumns, unmoderatedName } from '#server/features/people/index.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'
import { announce, announceMentions, countShown, lockCounts, rankPosts, unrankPost, updatePostRow } from './post-writes.queries.ts'

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
    const found = await tx.selectFrom('posts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!found || found.moderation === state) return
    const now = ctx.clock.now()
    // With its original date, the post would appear below posts that followers have read since.
    const isFirstShown = state === null && (await wasNeverShown(tx, id))
    const post = isFirstShown ? { ...found, created_at: now } : found
    // The cache key contains the time of the update.
    await updatePostRow(tx, id, { moderation: state, created_at: post.created_at, updated_at: now })
    if (isFirstShown) await extendPoll(tx, id, now.getTime() - found.created_at.getTime())
    if (post.moderation !== null && state !== null) return
    await countShown(tx, post, state === null ? 1 : -1, now)
    if (post.community_id !== null) await (state === null ? rankPosts(tx, [id]) : unrankPost(tx, id))
    // A post that was held is announced when it becomes visible, but an old one isn't announced as new after an edit.
    if (post.moderation === 'held') {
      if (await wasHeldWhenNew(tx, found)) await announce(tx, ctx, post)
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

/** A poll is open for as long as its author chose, however long the post waited for a moderator. */
const extendPoll = (tx: Tx, id: string, waitedMs: number) =>
  tx
    .updateTable('polls')
    .set({ closes_at: sql<Date>`closes_at + make_interval(secs => ${waitedMs / 1000}::double precision)` })
    .where('post_id', '=', id)
    .execute()

/** Whether a filter held the post when it was written, and no moderator has approved it yet. */
async function wasNeverShown(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from posts where id = ${id}::uuid
      and exists (select from moderation_cases cases where cases.subject = 'post' and cases.subject_id = posts.id
        and cases.source = 'filter' and cases.opened_at = posts.created_at)
      and not exists (select from moderation_effects effects where effects.subject = 'post' and effects.subject_id = posts.id
        and (effects.before is null or effects.after is null))`.execute(tx)
  return rows.length > 0
}

/** Whether the post was last held within a day of its publication, so the author's followers may not have been notified yet. */
async function wasHeldWhenNew(tx: Tx, { id, created_at }: { id: string; created_at: Date }): Promise<boolean> {
  const held = await tx
    .selectFrom('moderation_cases')
    .select('opened_at')
    .where('subject', '=', 'post')
    .where('subject_id', '=', id)
    .where('source', '=', 'filter')
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return !held || held.opened_at.getTime() - created_at.getTime() < dayMs
}

type Said = { content: string; options: string[]; tags: string[]; place: string | null }

/** Everything the filters screen besides the title: the text, poll options, tags and place. */
const textOf = ({ content, options, tags, place }: Said): string =>
  [content, options.map((option) => `- ${option}`).join('\n'), tags.map((tag) => `#${tag}`).join(' '), place].filter(Boolean).join('\n\n')
