import { sql } from 'kysely'
import type { ReportSubject } from '#contracts/reports.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { lockPeople } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { changeState, takeBack } from './effects.ts'
import type { Subjects } from './subjects.ts'

const batchSize = 50

/** Visible content a person wrote under their own name. What they wrote for a business belongs to the business. */
const written: Partial<Record<ReportSubject, string>> = {
  post: 'select id from posts where author_id = $user and business_id is null and moderation is null',
  comment: 'select id from comments where author_id = $user and business_id is null and moderation is null and not is_deleted',
  review: 'select id from reviews where user_id = $user and moderation is null',
  hunt_comment: 'select id from hunt_comments where author_id = $user and moderation is null',
}

/** Hides a banned person's content in batches, one transaction each. Safe to resume. */
export async function hideContent(ctx: Context, subjects: Subjects, actionId: string): Promise<void> {
  for (const [subject, query] of Object.entries(written) as [ReportSubject, string][]) {
    while ((await inTransaction(ctx.db, (tx) => hideBatch(tx, ctx, subjects, actionId, subject, query))) === batchSize);
  }
  ctx.cache.invalidate('businesses')
}

async function hideBatch(
  tx: Tx,
  ctx: Context,
  subjects: Subjects,
  actionId: string,
  subject: ReportSubject,
  query: string,
): Promise<number> {
  const before = await tx.selectFrom('moderation_actions').select('user_id').where('id', '=', actionId).executeTakeFirst()
  if (!before?.user_id) return 0
  await lockPeople(tx, [before.user_id])
  const ban = await tx.selectFrom('moderation_actions').select('undone_at').where('id', '=', actionId).forShare().executeTakeFirst()
  if (!ban || ban.undone_at !== null) return 0
  const [start = '', end = ''] = query.split('$user')
  const { rows } = await sql<{ id: string }>`${sql.raw(start)}${before.user_id}::uuid${sql.raw(end)}
    and not exists (select from moderation_effects e where e.action_id = ${actionId}::uuid and e.subject = ${subject} and e.subject_id = id)
    order by id limit ${batchSize}`.execute(tx)
  for (const { id } of rows) await changeState(tx, ctx, subjects, actionId, { subject, subjectId: id }, 'hidden')
  return rows.length
}

/** Restores what an undone ban hid, unless another action has hidden it since. */
export async function showContent(ctx: Context, subjects: Subjects, actionId: string): Promise<void> {
  let after: readonly [string, string] = ['', '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const last = await inTransaction(ctx.db, (tx) => showBatch(tx, ctx, subjects, actionId, after))
    if (last === null) break
    after = last
  }
  ctx.cache.invalidate('businesses')
}

async function showBatch(tx: Tx, ctx: Context, subjects: Subjects, actionId: string, after: readonly [string, string]) {
  const action = await tx.selectFrom('moderation_actions').select('user_id').where('id', '=', actionId).executeTakeFirst()
  if (action?.user_id) await lockPeople(tx, [action.user_id])
  const effects = await tx
    .selectFrom('moderation_effects')
    .selectAll()
    .where('action_id', '=', actionId)
    .where(sql<boolean>`(subject, subject_id) > (${after[0]}, ${after[1]}::uuid)`)
    .orderBy('subject')
    .orderBy('subject_id')
    .limit(batchSize)
    .execute()
  for (const effect of effects) await takeBack(tx, ctx, subjects, effect)
  const last = effects.at(-1)
  return last ? ([last.subject, last.subject_id] as const) : null
}
