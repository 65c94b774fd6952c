import { type Insertable, sql } from 'kysely'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { bylineColumns, isNotBlocked } from '#server/features/people/index.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { excerptLength, type NotifiedSubject } from '#server/kernel/notified-subject.ts'
import { huntAccess } from './hunt-access.ts'

export type HuntCommentRow = Awaited<ReturnType<typeof commentRows>>[number]

/** Sorts before every comment, so that the first page uses the same query as the others. */
const beginning = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const

/** Hides comments of people separated from the viewer by a block. Authors see their held and hidden comments; no one sees removed ones. */
const isThere = (viewerId: string) => sql<boolean>`(case when hunt_comments.moderation is null
  then ${isNotBlocked(sql`${viewerId}::uuid`, sql`hunt_comments.author_id`)}
  else hunt_comments.moderation <> 'removed' and hunt_comments.author_id = ${viewerId} end)`

const comments = (db: Db) =>
  db
    .selectFrom('hunt_comments')
    .innerJoin('users', 'users.id', 'hunt_comments.author_id')
    .innerJoin('hunts', 'hunts.id', 'hunt_comments.hunt_id')
    .select(bylineColumns)
    .select([
      'hunt_comments.id as comment_id',
      'hunt_comments.hunt_id',
      'hunt_comments.content',
      'hunt_comments.created_at',
      'hunt_comments.edited_at',
      'hunt_comments.moderation',
      'hunts.owner_id',
    ])

/** Oldest first, without people hidden by a block. */
export const commentRows = (
  db: Db,
  viewerId: string,
  huntId: Authorized<'hunts'>,
  after: readonly [createdAt: string, id: string] | null,
  limit: number,
) => {
  const [createdAt, id] = after ?? beginning
  return comments(db)
    .where('hunt_comments.hunt_id', '=', huntId)
    .where(isThere(viewerId))
    .where(sql<boolean>`(hunt_comments.created_at, hunt_comments.id) > (${createdAt}::timestamptz, ${id}::uuid)`)
    .orderBy('hunt_comments.created_at')
    .orderBy('hunt_comments.id')
    .limit(limit)
    .execute()
}

export const commentRow = (db: Db, commentId: string) => comments(db).where('hunt_comments.id', '=', commentId).executeTakeFirst()

/** The facts that decide on writes to a comment, without its content. */
export const commentFacts = (db: Db, viewerId: string, commentId: string) =>
  db
    .selectFrom('hunt_comments')
    .select(['id', 'hunt_id', 'author_id', 'moderation', isThere(viewerId).as('is_visible')])
    .where('id', '=', commentId)
    .executeTakeFirst()

export const insertComment = (tx: Tx, row: Insertable<DB['hunt_comments']>) => tx.insertInto('hunt_comments').values(row).execute()

export const updateComment = (tx: Tx, commentId: string, content: string, now: Date) =>
  tx.updateTable('hunt_comments').set({ content, edited_at: now }).where('id', '=', commentId).execute()

export const removeComment = (tx: Tx, commentId: string) => tx.deleteFrom('hunt_comments').where('id', '=', commentId).execute()

export type NotifiedHunt = { name: string; excerpt: string | null }

/**
 * A share is shown while it exists, a comment while the recipient owns the hunt. If several people commented, deleting the latest comment
 * leaves the others.
 */
export const notifiedHunts: NotifiedSubject<NotifiedHunt> = (asked, viewer) => {
  const id = sql`${viewer.id}::uuid`
  return sql`
    select asked.id, jsonb_build_object('name', hunts.hunt_name,
      'excerpt', case when ${isNotBlocked(id, sql`hunt_comments.author_id`)} then left(hunt_comments.content, ${excerptLength}) end) as facts
    from ${asked} asked
      join hunts on hunts.id = asked.hunt_id
      left join hunt_comments on hunt_comments.id = asked.hunt_comment_id and hunt_comments.moderation is null
    where ${huntAccess(id)} is not null
      and case asked.type
        when 'hunt_comment' then hunts.owner_id = ${id} and (hunt_comments.id is not null or asked.actors_count > 1)
        else exists (select from hunt_shares where hunt_shares.hunt_id = hunts.id and hunt_shares.user_id = ${id})
      end`
}
