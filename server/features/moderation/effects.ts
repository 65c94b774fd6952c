import { sql } from 'kysely'
import type { ReportSubject } from '../../../contracts/reports.ts'
import type { Tx } from '../../db/connect.ts'
import type { WriteContext } from '../../kernel/context.ts'
import { findSubject, type ModerationState, type Subjects } from './subjects.ts'

type Thing = { subject: ReportSubject; subjectId: string }

/** Writes a thing's state and how it was before; what is so already leaves no trace. Whether something changed. */
export async function changeState(
  tx: Tx,
  ctx: WriteContext,
  subjects: Subjects,
  actionId: string,
  { subject, subjectId }: Thing,
  after: ModerationState | null,
): Promise<boolean> {
  const facts = await findSubject(tx, subjects, subject, subjectId)
  if (!facts || facts.state === after) return false
  await subjects[subject].set(tx, ctx, subjectId, after)
  await tx
    .insertInto('moderation_effects')
    .values({ action_id: actionId, subject, subject_id: subjectId, before: facts.state, after })
    .execute()
  return true
}

type Effect = {
  action_id: string
  subject: ReportSubject
  subject_id: string
  before: ModerationState | null
  after: ModerationState | null
}

/**
 * Takes one change of an action back. Where another action has changed the thing since, it keeps what that one made of it, and will go
 * back to what was before both. What was changed otherwise stays. Answers what the thing is now, where this changed it.
 */
export async function takeBack(tx: Tx, ctx: WriteContext, subjects: Subjects, effect: Effect): Promise<ModerationState | null | undefined> {
  const next = await nextEffect(tx, effect)
  if (next) {
    if (next.before !== effect.after) return undefined
    await tx
      .updateTable('moderation_effects')
      .set({ before: effect.before })
      .where('action_id', '=', next.action_id)
      .where('subject', '=', effect.subject)
      .where('subject_id', '=', effect.subject_id)
      .execute()
    return undefined
  }
  const facts = await findSubject(tx, subjects, effect.subject, effect.subject_id)
  if (!facts || facts.state !== effect.after) return undefined
  await subjects[effect.subject].set(tx, ctx, effect.subject_id, effect.before)
  return effect.before
}

/** What the first action did after this one that stands and concerns the same thing. */
const nextEffect = (tx: Tx, effect: Effect) =>
  tx
    .selectFrom('moderation_effects')
    .innerJoin('moderation_actions', 'moderation_actions.id', 'moderation_effects.action_id')
    .select(['moderation_effects.action_id', 'moderation_effects.before'])
    .where('moderation_effects.subject', '=', effect.subject)
    .where('moderation_effects.subject_id', '=', effect.subject_id)
    .where('moderation_actions.undone_at', 'is', null)
    // Ids are made in the order of time.
    .where(sql<boolean>`moderation_actions.id > ${effect.action_id}::uuid`)
    .orderBy('moderation_actions.id')
    .limit(1)
    .executeTakeFirst()

export const effectsOf = (tx: Tx, actionId: string) =>
  tx.selectFrom('moderation_effects').selectAll().where('action_id', '=', actionId).orderBy('subject').orderBy('subject_id').execute()
