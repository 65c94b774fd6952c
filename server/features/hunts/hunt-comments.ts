import { type Insertable, sql } from 'kysely'
import type { HuntComment } from '#contracts/hunts.endpoints.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { holdForReview } from '#server/features/moderation/index.ts'
import { bylineColumns, isNotBlocked, toPerson } from '#server/features/people/index.ts'
import { reasonsOf, screenWords, type Verdict } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { firstUuid, newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { excerptLength, type NotifiedSubject } from '#server/kernel/notified-subject.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { huntAccess, lockHunt, requireHunt, requireHuntOfRow } from './hunt-access.ts'
import { changeCommentsCount } from './hunts.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>
type PageQuery = { limit: number; cursor?: string | undefined }

export async function listComments(db: Db, actor: Actor, huntId: string, page: PageQuery): Promise<Page<HuntComment>> {
  const hunt = await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await commentRows(db, actor.id, hunt.id, after, page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.comment_id])
  return { items: await toHuntComments(db, actor, items), nextCursor }
}

/** @throws AppError not_found, conflict for a private hunt, invalid_input for refused text, idempotency_mismatch */
export async function createComment(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  content: string,
  idempotency: IdempotencyKey | null,
): Promise<HuntComment> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      const hunt = await requireHunt(tx, actor, huntId, 'view', { lock: 'update' })
      if (hunt.visibility !== 'public') throw new AppError('conflict', { message: 'You can only comment on public hunts.' })
      const id = newId()
      const verdict = await screenWords(tx, ctx, actor, { kind: 'hunt_comment', texts: [content], subjectId: id })
      await insertComment(tx, { id, hunt_id: huntId, author_id: actor.id, content, moderation: verdict.state, created_at: now })
      if (verdict.state === null) {
        await changeCommentsCount(tx, huntId, 1)
        await ctx.events.publish(tx, 'hunt.commented', { commentId: id })
      } else await holdForModerators(tx, ctx, actor, id, verdict, now)
      return readComment(tx, actor, id)
    }),
  )
}

/** @throws AppError not_found, forbidden for another person's comment, invalid_input for refused text */
export async function updateComment(ctx: Ctx, actor: Actor, commentId: string, content: string): Promise<HuntComment> {
  return inTransaction(ctx.db, async (tx) => {
    const comment = await lockComment(tx, actor, commentId)
    if (comment.author_id !== actor.id) throw new AppError('forbidden', { message: 'Only the author can change a comment.' })
    const now = ctx.clock.now()
    const isShown = comment.moderation === null
    const old = await commentRow(tx, commentId)
    const before = isShown && old ? [old.content] : undefined
    const verdict = await screenWords(tx, ctx, actor, { kind: 'hunt_comment', texts: [content], before, subjectId: commentId })
    await updateCommentRow(tx, commentId, content, now)
    if (verdict.state === 'held') {
      if (isShown) {
        await tx.updateTable('hunt_comments').set({ moderation: 'held' }).where('id', '=', commentId).execute()
        await changeCommentsCount(tx, comment.hunt_id, -1)
      }
      await holdForModerators(tx, ctx, actor, commentId, verdict, now)
    }
    return readComment(tx, actor, commentId)
  })
}

const holdForModerators = (
  tx: Tx,
  ctx: Pick<Ctx, 'events'>,
  { id: userId }: Actor,
  subjectId: string,
  { findings }: Verdict,
  now: Date,
): Promise<string> =>
  holdForReview(tx, ctx, { subject: 'hunt_comment', subjectId, userId, businessId: null, communityId: null, findings, now })

/** The comment's author and the hunt's owner may delete it; moderators decide a case instead. @throws AppError not_found, forbidden */
export async function deleteComment(ctx: Pick<Context, 'db'>, actor: Actor, commentId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const comment = await lockComment(tx, actor, commentId)
    const mayDelete = comment.author_id === actor.id || comment.hunt.access === 'own'
    if (!mayDelete) throw new AppError('forbidden', { message: 'Only the author and the owner of the hunt can delete a comment.' })
    await removeComment(tx, commentId)
    if (comment.moderation === null) await changeCommentsCount(tx, comment.hunt_id, -1)
  })
}

const commentsAtOnce = 50

export const eraseHuntComments: EraseStep = {
  name: 'hunt-comments',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db
      .selectFrom('hunt_comments')
      .select(['id', 'hunt_id'])
      .where('author_id', '=', userId)
      .limit(commentsAtOnce)
      .execute()
    for (const { id, hunt_id } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        await lockHunt(tx, hunt_id, 'update')
        const comment = await tx.selectFrom('hunt_comments').select('moderation').where('id', '=', id).executeTakeFirst()
        if (!comment) return
        await removeComment(tx, id)
        if (comment.moderation === null) await changeCommentsCount(tx, hunt_id, -1)
      })
    }
    return rows.length
  },
}

/** Locks the comment's hunt for update, so that concurrent deletions count once. */
async function lockComment(tx: Tx, actor: Actor, commentId: string) {
  const before = await commentFacts(tx, actor.id, commentId)
  if (!before?.is_visible) throw notFound('Comment not found.')
  const hunt = await requireHuntOfRow(tx, actor, before, 'Comment not found.', 'view', { lock: 'update' })
  const comment = await commentFacts(tx, actor.id, commentId)
  if (!comment?.is_visible) throw notFound('Comment not found.')
  return { ...comment, hunt }
}

async function readComment(db: Db, actor: Actor, commentId: string): Promise<HuntComment> {
  const row = await commentRow(db, commentId)
  if (!row) throw notFound('Comment not found.')
  const [comment] = await toHuntComments(db, actor, [row])
  return comment as HuntComment
}

async function toHuntComments(db: Db, actor: Actor, rows: readonly HuntCommentRow[]): Promise<HuntComment[]> {
  const reasons = await reasonsOf(
    db,
    'hunt_comment',
    rows.map(({ comment_id: id, moderation }) => ({ id, moderation })),
  )
  return rows.map((row) => toHuntComment(actor, row, reasons.get(row.comment_id) ?? []))
}

function toHuntComment(actor: Actor, row: HuntCommentRow, heldFor: string[]): HuntComment {
  const isOwn = row.id === actor.id
  return {
    id: row.comment_id,
    huntId: row.hunt_id,
    author: toPerson(row),
    content: row.content,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    moderation: row.moderation,
    heldFor,
    abilities: { edit: isOwn, delete: isOwn || row.owner_id === actor.id, report: !isOwn },
  }
}

type HuntCommentRow = Awaited<ReturnType<typeof commentRows>>[number]

const beginning = ['-infinity', firstUuid] as const

/** Excludes people separated from the viewer by a block. Authors see their held and hidden comments; no one sees removed ones. */
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

/** Oldest first, without comments by people hidden by a block. */
const commentRows = (
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

const commentRow = (db: Db, commentId: string) => comments(db).where('hunt_comments.id', '=', commentId).executeTakeFirst()

const commentFacts = (db: Db, viewerId: string, commentId: string) =>
  db
    .selectFrom('hunt_comments')
    .select(['id', 'hunt_id', 'author_id', 'moderation', isThere(viewerId).as('is_visible')])
    .where('id', '=', commentId)
    .executeTakeFirst()

const insertComment = (tx: Tx, row: Insertable<DB['hunt_comments']>) => tx.insertInto('hunt_comments').values(row).execute()

const updateCommentRow = (tx: Tx, commentId: string, content: string, now: Date) =>
  tx.updateTable('hunt_comments').set({ content, edited_at: now }).where('id', '=', commentId).execute()

const removeComment = (tx: Tx, commentId: string) => tx.deleteFrom('hunt_comments').where('id', '=', commentId).execute()

export type NotifiedHunt = { name: string; excerpt: string | null }

/**
 * Notifications of shares are shown while the share exists. Those of comments are shown while the recipient owns the hunt, and the comment
 * is visible or several people commented.
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
