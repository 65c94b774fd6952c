import type { ModerationDecision } from '#contracts/moderation.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { type DecisionRow, decisionRow, toDecisions, undoRefusal } from './decisions.ts'
import { effectsOf, takeBack, writeCommunitySanctions, writeSanctions } from './effects.ts'
import { requireModeratorScope, reversalRefusal } from './may-act.ts'
import { asOfNow, findSubject, lockConcerned, type ModerationParts } from './subjects.ts'

/** Undoes an action. Idempotent. Actions of community moderators may be undone by them and by the site's moderators. */
export async function undoModerationDecision(
  ctx: Context,
  parts: ModerationParts,
  actor: Actor,
  id: string,
  reason: string,
): Promise<ModerationDecision> {
  const now = ctx.clock.now()
  const answer = await inTransaction(ctx.db, async (tx) => {
    const decision = await lockDecision(tx, parts, id, actor.id)
    // Only site moderators may undo actions taken for the site, even inside a community.
    const concern = { subject: decision.subject, community_id: decision.community_id, is_for_site: decision.community_id === null }
    const undoneBy = await asOfNow(tx, actor, now)
    const moderatorScope = await requireModeratorScope(tx, parts.communities, undoneBy, concern, now, 'Action not found.')
    const refusal =
      undoRefusal(actor.id, moderatorScope, decision) ?? (await reversalRefusal(tx, parts, undoneBy, moderatorScope, decision, 'undoing'))
    if (refusal !== null) throw new AppError('forbidden', { message: refusal })
    const isUndone = decision.undone_at !== null
    if (!isUndone) {
      const isNews = await revertDecision(tx, ctx, parts, decision, { actorId: actor.id, reason, now })
      if (isNews) await ctx.events.publish(tx, 'moderation.acted', { actionId: id })
    }
    const [view] = await toDecisions(tx, actor.id, moderatorScope, [(await decisionRow(tx, id)) as DecisionRow])
    if (!isUndone) await recordAudit(tx, { ...undoneEntry(decision, now), actorId: actor.id })
    return view as ModerationDecision
  })
  ctx.cache.invalidate('businesses')
  return answer
}

export const undoneEntry = (decision: DecisionRow, now: Date) => ({
  at: now,
  action: 'moderation.undone' as const,
  subjectType: decision.subject,
  subjectId: decision.subject_id,
  details: { actionId: decision.id, action: decision.action, caseId: decision.case_id },
})

/** Locks an action and everything that undoing it may change. */
export async function lockDecision(
  tx: Tx,
  { subjects }: Pick<ModerationParts, 'subjects'>,
  id: string,
  actorId: string,
): Promise<DecisionRow> {
  const found = await decisionRow(tx, id)
  if (!found) throw notFound('Action not found.')
  const facts = await findSubject(tx, subjects, found.subject, found.subject_id)
  await lockConcerned(tx, {
    communityId: found.community_id ?? facts?.communityId ?? null,
    businessId: facts?.businessId ?? null,
    people: [actorId, found.user_id, facts?.userId ?? null],
    subject: found.subject,
    subjectId: found.subject_id,
  })
  await tx.selectFrom('moderation_actions').select('id').where('id', '=', id).forUpdate().execute()
  return (await decisionRow(tx, id)) as DecisionRow
}

/** Returns whether to notify the person concerned. The caller has locked the action and checked that it isn't undone. */
export async function revertDecision(
  tx: Tx,
  ctx: Context,
  parts: ModerationParts,
  decision: DecisionRow,
  by: { actorId: string; reason: string; now: Date },
): Promise<boolean> {
  await tx
    .updateTable('moderation_actions')
    .set({ undone_at: by.now, undone_by: by.actorId, undo_reason: by.reason })
    .where('id', '=', decision.id)
    .execute()
  const { action, user_id: userId, community_id: communityId } = decision
  let isHeldAgain = false
  if (decision.hides_content) await ctx.jobs.enqueue('moderation.show-content', { actionId: decision.id }, { tx })
  else {
    for (const effect of await effectsOf(tx, decision.id)) {
      if ((await takeBack(tx, ctx, parts.subjects, effect)) === 'held') isHeldAgain = true
    }
  }
  if (userId !== null && (action === 'mute' || action === 'suspend' || action === 'ban')) {
    if (communityId === null) await writeSanctions(tx, userId)
    else if (action !== 'suspend') await writeCommunitySanctions(tx, ctx, parts.communities, { communityId, userId }, action)
  }
  // Content that is held again, or was approved by mistake, needs a new decision.
  if (isHeldAgain || action === 'dismiss' || action === 'approve') await reopen(tx, decision)
  return userId !== null && action !== 'dismiss' && action !== 'approve'
}

/** No-op if the subject already has another open case. */
async function reopen(tx: Tx, { case_id: caseId, subject, subject_id: subjectId }: DecisionRow): Promise<void> {
  if (caseId === null) return
  const open = await tx
    .selectFrom('moderation_cases')
    .select('id')
    .where('subject', '=', subject)
    .where('subject_id', '=', subjectId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (open) return
  const reopened = { status: 'open' as const, decided_at: null, decided_by: null }
  await tx.updateTable('moderation_cases').set(reopened).where('id', '=', caseId).execute()
  await tx.updateTable('reports').set({ resolved_at: null }).where('case_id', '=', caseId).execute()
}
