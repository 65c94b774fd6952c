import { type SqlBool, sql } from 'kysely'
import { appealDays, explainedActions, type ModerationAppeal, type OwnAppeal } from '../../../contracts/moderation.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type Actor, hasRole } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { recordAudit } from '../audit/index.ts'
import { asOfNow } from './as-of-now.ts'
import { deedRow, deedsByIds, toDeeds } from './deeds.ts'
import { reversalRefusal } from './may-act.ts'
import { named, peopleById } from './people.ts'
import type { ModerationParts } from './ports.ts'
import { holdDeed, takeDeedBack, undoneEntry } from './undo-deed.ts'

const dayMs = 86_400_000

export const appealUntil = (createdAt: Date): Date => new Date(createdAt.getTime() + appealDays * dayMs)

type AppealRow = {
  id: string
  content: string
  created_at: Date
  decided_at: Date | null
  outcome: 'upheld' | 'overturned' | null
  answer: string
}

export const toOwnAppeal = (row: AppealRow): OwnAppeal => ({
  id: row.id,
  content: row.content,
  createdAt: row.created_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
  outcome: row.outcome,
  answer: row.answer,
})

/**
 * By whom it concerns, once, within 180 days of it.
 * @throws AppError not_found for another's action, conflict where it is undone, too late or appealed already
 */
export async function makeAppeal(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, actionId: string, content: string): Promise<OwnAppeal> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await tx.selectFrom('moderation_actions').select('id').where('id', '=', actionId).forShare().execute()
    const deed = await deedRow(tx, actionId)
    if (deed?.user_id !== actor.id || !explainedActions.includes(deed.action)) throw notFound('There is no such action.')
    if (deed.undone_at !== null) throw new AppError('conflict', { message: 'This was taken back already.' })
    if (now > appealUntil(deed.created_at)) {
      throw new AppError('conflict', { message: `An appeal is possible for ${appealDays} days. They have passed.` })
    }
    const row = await tx
      .insertInto('moderation_appeals')
      .values({ id: newId(), action_id: actionId, user_id: actor.id, content, moderator_id: deed.moderator_id, created_at: now })
      .onConflict((conflict) => conflict.column('action_id').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new AppError('conflict', { message: 'You have appealed against this already.' })
    return toOwnAppeal(row)
  })
}

const appeals = (db: Db) => db.selectFrom('moderation_appeals').selectAll()
type FullRow = Awaited<ReturnType<ReturnType<typeof appeals>['execute']>>[number]
type Query = { limit: number; cursor?: string | undefined; status: 'open' | 'decided' }

/** What waits, the oldest first; what was decided, the newest first. */
export async function listAppeals(db: Db, actor: Actor, { limit, cursor, status }: Query): Promise<Page<ModerationAppeal>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const isOpen = status === 'open'
  const by = sql.ref(isOpen ? 'created_at' : 'decided_at')
  const rows = await appeals(db)
    .where('decided_at', isOpen ? 'is' : 'is not', null)
    .$if(after !== null, (query) =>
      query.where(sql<SqlBool>`(${by}, id) ${sql.raw(isOpen ? '>' : '<')} (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy(by, isOpen ? 'asc' : 'desc')
    .orderBy('id', isOpen ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, (row) => [((isOpen ? row.created_at : row.decided_at) as Date).toISOString(), row.id])
  return { items: await toAppeals(db, actor, items), nextCursor }
}

async function toAppeals(db: Db, actor: Actor, rows: readonly FullRow[]): Promise<ModerationAppeal[]> {
  const [deedRows, people] = await Promise.all([
    deedsByIds(
      db,
      rows.map((row) => row.action_id),
    ),
    peopleById(
      db,
      rows.flatMap((row) => [row.user_id, row.decided_by]),
    ),
  ])
  const views = new Map((await toDeeds(db, actor.id, { actsFor: 'site' }, deedRows)).map((view) => [view.id, view]))
  return rows.flatMap((row) => {
    const deed = views.get(row.action_id)
    if (!deed) return []
    return [
      {
        id: row.id,
        deed,
        person: people.get(row.user_id) ?? null,
        content: row.content,
        createdAt: row.created_at.toISOString(),
        decidedAt: row.decided_at?.toISOString() ?? null,
        decidedBy: named(people, row.decided_by),
        outcome: row.outcome,
        answer: row.answer,
        mayDecide: row.decided_at === null && appealRefusal(actor.id, row) === null,
      },
    ]
  })
}

/** Whoever acted does not judge it, nor whom it concerns. The table refuses the first, too. */
function appealRefusal(actorId: string, row: Pick<FullRow, 'user_id' | 'moderator_id'>): string | null {
  if (row.user_id === actorId) return 'This is your own appeal: another moderator decides it.'
  return row.moderator_id === actorId ? 'You decided what this appeal is against: another moderator decides it.' : null
}

type Decision = { outcome: 'upheld' | 'overturned'; answer: string }

/** Overturned, the action is undone. @throws AppError not_found, forbidden, conflict where it is decided */
export async function decideAppeal(
  ctx: Context,
  parts: ModerationParts,
  actor: Actor,
  id: string,
  { outcome, answer }: Decision,
): Promise<ModerationAppeal> {
  const now = ctx.clock.now()
  const decided = await inTransaction(ctx.db, async (tx) => {
    const found = await appeals(tx).where('id', '=', id).executeTakeFirst()
    if (!found) throw notFound('There is no such appeal.')
    const deed = await holdDeed(tx, parts, found.action_id, actor.id)
    const row = await appeals(tx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    const judge = await asOfNow(tx, actor, now)
    if (!hasRole(judge, 'moderator')) throw new AppError('forbidden')
    const refusal = appealRefusal(actor.id, row) ?? (await reversalRefusal(tx, parts, judge, { actsFor: 'site' }, deed, 'appeal'))
    if (refusal !== null) throw new AppError('forbidden', { message: refusal })
    if (row.decided_at !== null) throw new AppError('conflict', { message: `This appeal was decided already: ${row.outcome}.` })
    await writeDecision(tx, id, { decided_at: now, decided_by: actor.id, outcome, answer })
    const isUndone = outcome === 'overturned' && deed.undone_at === null
    if (isUndone) await takeDeedBack(tx, ctx, parts, deed, { actorId: actor.id, reason: 'appeal', now })
    await ctx.events.publish(tx, 'appeal.decided', { appealId: id })
    const [view] = await toAppeals(tx, actor, [await appeals(tx).where('id', '=', id).executeTakeFirstOrThrow()])
    const entry = { at: now, actorId: actor.id, subjectType: 'moderation_appeal', subjectId: id, details: { actionId: deed.id } }
    await recordAudit(tx, { ...entry, action: `appeal.${outcome}` })
    if (isUndone) await recordAudit(tx, { ...undoneEntry(deed, now), actorId: actor.id })
    return view as ModerationAppeal
  })
  ctx.cache.invalidate('businesses')
  return decided
}

const writeDecision = (
  tx: Tx,
  id: string,
  decision: { decided_at: Date; decided_by: string; outcome: 'upheld' | 'overturned'; answer: string },
) => tx.updateTable('moderation_appeals').set(decision).where('id', '=', id).execute()
