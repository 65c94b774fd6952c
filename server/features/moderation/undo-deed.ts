import type { ModerationDeed } from '../../../contracts/moderation.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { asOfNow } from './as-of-now.ts'
import { type DeedRow, deedRow, toDeeds, undoRefusal } from './deeds.ts'
import { effectsOf, takeBack } from './effects.ts'
import { holdInOrder } from './hold-order.ts'
import { reversalRefusal } from './may-act.ts'
import type { ModerationParts } from './ports.ts'
import { writeCommunityStanding, writeStanding } from './sanctions.ts'
import { requireSeat } from './seats.ts'
import { findSubject } from './subjects.ts'

/**
 * Takes an action back; again changes nothing. What a community's moderators did, they and the site's may undo.
 * @throws AppError not_found, second_factor_required, forbidden
 */
export async function undoDeed(ctx: Context, parts: ModerationParts, actor: Actor, id: string, reason: string): Promise<ModerationDeed> {
  const now = ctx.clock.now()
  const answer = await inTransaction(ctx.db, async (tx) => {
    const deed = await holdDeed(tx, parts, id, actor.id)
    // What was done for the site is the site's moderators' to undo, wherever it was.
    const concern = { subject: deed.subject, community_id: deed.community_id, is_for_site: deed.community_id === null }
    const undoneBy = await asOfNow(tx, actor, now)
    const seat = await requireSeat(tx, parts.communities, undoneBy, concern, now, 'There is no such action.')
    const refusal = undoRefusal(actor.id, seat, deed) ?? (await reversalRefusal(tx, parts, undoneBy, seat, deed, 'undoing'))
    if (refusal !== null) throw new AppError('forbidden', { message: refusal })
    const isUndone = deed.undone_at !== null
    if (!isUndone) {
      const isNews = await takeDeedBack(tx, ctx, parts, deed, { actorId: actor.id, reason, now })
      if (isNews) await ctx.events.publish(tx, 'moderation.acted', { actionId: id })
    }
    const [view] = await toDeeds(tx, actor.id, seat, [(await deedRow(tx, id)) as DeedRow])
    if (!isUndone) await recordAudit(tx, { ...undoneEntry(deed, now), actorId: actor.id })
    return view as ModerationDeed
  })
  ctx.cache.invalidate('businesses')
  return answer
}

export const undoneEntry = (deed: DeedRow, now: Date) => ({
  at: now,
  action: 'moderation.undone' as const,
  subjectType: deed.subject,
  subjectId: deed.subject_id,
  details: { actionId: deed.id, action: deed.action, caseId: deed.case_id },
})

/** An action with all that undoing it may change, held. @throws AppError not_found */
export async function holdDeed(tx: Tx, { subjects }: Pick<ModerationParts, 'subjects'>, id: string, actorId: string): Promise<DeedRow> {
  const found = await deedRow(tx, id)
  if (!found) throw notFound('There is no such action.')
  const facts = await findSubject(tx, subjects, found.subject, found.subject_id)
  await holdInOrder(tx, {
    communityId: found.community_id ?? facts?.communityId ?? null,
    businessId: facts?.businessId ?? null,
    people: [actorId, found.user_id, facts?.userId ?? null],
    subject: found.subject,
    subjectId: found.subject_id,
  })
  await tx.selectFrom('moderation_actions').select('id').where('id', '=', id).forUpdate().execute()
  return (await deedRow(tx, id)) as DeedRow
}

/** Whether there is something to tell whom it concerns. The action is held by the caller, and stands. */
export async function takeDeedBack(
  tx: Tx,
  ctx: Context,
  parts: ModerationParts,
  deed: DeedRow,
  by: { actorId: string; reason: string; now: Date },
): Promise<boolean> {
  await tx
    .updateTable('moderation_actions')
    .set({ undone_at: by.now, undone_by: by.actorId, undo_reason: by.reason })
    .where('id', '=', deed.id)
    .execute()
  const { action, user_id: userId, community_id: communityId } = deed
  let isHeldAgain = false
  if (deed.hides_content) await ctx.jobs.enqueue('moderation.show-content', { actionId: deed.id }, { tx })
  else {
    for (const effect of await effectsOf(tx, deed.id)) {
      if ((await takeBack(tx, ctx, parts.subjects, effect)) === 'held') isHeldAgain = true
    }
  }
  if (userId !== null && (action === 'mute' || action === 'suspend' || action === 'ban')) {
    if (communityId === null) await writeStanding(tx, userId)
    else if (action !== 'suspend') await writeCommunityStanding(tx, ctx, parts.communities, { communityId, userId }, action)
  }
  // What waits again, or was waved through by mistake, is to be decided anew.
  if (isHeldAgain || action === 'dismiss' || action === 'approve') await reopen(tx, deed)
  return userId !== null && action !== 'dismiss' && action !== 'approve'
}

/** Unless another case of the thing is open by now. */
async function reopen(tx: Tx, { case_id: caseId, subject, subject_id: subjectId }: DeedRow): Promise<void> {
  if (caseId === null) return
  const open = await tx
    .selectFrom('moderation_cases')
    .select('id')
    .where('subject', '=', subject)
    .where('subject_id', '=', subjectId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (open) return
  const anew = { status: 'open' as const, decided_at: null, decided_by: null }
  await tx.updateTable('moderation_cases').set(anew).where('id', '=', caseId).execute()
  await tx.updateTable('reports').set({ resolved_at: null }).where('case_id', '=', caseId).execute()
}
