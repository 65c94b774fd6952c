import {
  type ActionReason,
  type CaseDecision,
  explainedActions,
  type ModerationAction,
  type ModerationDeed,
} from '../../../contracts/moderation.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { recordAudit } from '../audit/index.ts'
import { asOfNow } from './as-of-now.ts'
import { caseRow } from './cases.queries.ts'
import { deedsByIds, deedsOfCase, toDeeds } from './deeds.ts'
import { changeState } from './effects.ts'
import { holdInOrder } from './hold-order.ts'
import { decisionRefusal, misfit, standingBetween } from './may-act.ts'
import type { ModerationParts } from './ports.ts'
import { writeCommunityStanding, writeStanding } from './sanctions.ts'
import { requireSeat, type Seat } from './seats.ts'
import { findSubject, type SubjectFacts } from './subjects.ts'

type Decided = { id: string; deeds: ModerationDeed[] }
type One = CaseDecision['actions'][number]
type LockedCase = NonNullable<Awaited<ReturnType<typeof caseRow>>>

const dayMs = 86_400_000

/**
 * Decides a case, once: of two at the same moment the second is told what was decided.
 * @throws AppError not_found, second_factor_required, forbidden with the reason, conflict, invalid_input, idempotency_mismatch
 */
export async function decideCase(
  ctx: Context,
  parts: ModerationParts,
  actor: Actor,
  id: string,
  decision: CaseDecision,
  idempotency: IdempotencyKey | null,
): Promise<Decided> {
  const now = ctx.clock.now()
  const decided = await inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      const { row, seat, facts, decidedBy } = await holdCase(tx, parts, actor, id, now)
      if (row.status === 'decided') throw new AppError('conflict', { message: await whatWasDecided(tx, id) })
      const { userId, decider, concerned } = await standingBetween(tx, decidedBy, seat, row, facts)
      const refusal = decisionRefusal(decider, concerned)
      if (refusal !== null) throw new AppError('forbidden', { message: refusal })
      requireFitting(seat, facts, userId, decision)
      await close(tx, id, actor, now)
      const done: Done[] = []
      for (const one of decision.actions) done.push(await act(tx, ctx, parts, { row, seat, facts, userId, actor, decision, now }, one))
      for (const { actionId, isNews } of done) if (isNews && userId !== null) await ctx.events.publish(tx, 'moderation.acted', { actionId })
      const rows = await deedsByIds(
        tx,
        done.map(({ actionId }) => actionId),
      )
      const answer = { id, deeds: await toDeeds(tx, actor.id, seat, rows) }
      for (const { actionId, action, days } of done) {
        await recordAudit(tx, {
          at: now,
          actorId: actor.id,
          action: `moderation.${action}`,
          subjectType: row.subject,
          subjectId: row.subject_id,
          businessId: facts?.businessId ?? null,
          details: { caseId: id, actionId, reason: decision.reason, days, communityId: communityIdOf(seat) },
        })
      }
      return answer
    }),
  )
  // Once more after the commit: whoever asked meanwhile may have been answered from before it.
  ctx.cache.invalidate('businesses')
  return decided
}

const communityIdOf = (seat: Seat) => (seat.actsFor === 'community' ? seat.communityId : null)

/** The case and all that a decision may change, held; whoever may not look at it does not learn that it is there. */
async function holdCase(tx: Tx, { subjects, communities }: ModerationParts, actor: Actor, id: string, now: Date) {
  const found = await caseRow(tx, id)
  if (!found) throw notFound('There is no such case.')
  const { subject, subject_id: subjectId } = found
  const before = await findSubject(tx, subjects, subject, subjectId)
  await holdInOrder(tx, {
    communityId: found.community_id,
    businessId: before?.businessId ?? null,
    people: [actor.id, before?.userId ?? found.user_id],
    subject,
    subjectId,
  })
  const row = (await caseRow(tx, id)) as LockedCase
  const decidedBy = await asOfNow(tx, actor, now)
  const seat = await requireSeat(tx, communities, decidedBy, row, now)
  return { row, seat, decidedBy, facts: await findSubject(tx, subjects, subject, subjectId) }
}

/** @throws AppError conflict for what does not fit the case, invalid_input */
function requireFitting(seat: Seat, facts: SubjectFacts | undefined, userId: string | null, { actions }: CaseDecision): void {
  const problem = misfit(
    seat,
    facts,
    userId !== null,
    actions.map(({ action }) => action),
  )
  if (problem !== null) throw new AppError('conflict', { message: problem })
  for (const { action, days, hideContent } of actions) {
    if (action !== 'ban') continue
    if (seat.actsFor === 'site' && days !== undefined) {
      throw new AppError('invalid_input', { message: 'A ban from the site has no end. Suspend the account instead.' })
    }
    if (seat.actsFor === 'community' && hideContent) {
      throw new AppError('invalid_input', { message: 'Only a ban from the site hides what somebody wrote.' })
    }
  }
}

async function close(tx: Tx, id: string, actor: Actor, now: Date): Promise<void> {
  const decided = { status: 'decided' as const, decided_at: now, decided_by: actor.id }
  await tx.updateTable('moderation_cases').set(decided).where('id', '=', id).execute()
  await tx.updateTable('reports').set({ resolved_at: now }).where('case_id', '=', id).where('resolved_at', 'is', null).execute()
}

type Deciding = {
  row: LockedCase
  seat: Seat
  facts: SubjectFacts | undefined
  userId: string | null
  actor: Actor
  decision: CaseDecision
  now: Date
}
/** `isNews`: there is something to tell whom it concerns. That they were reported without cause is not. */
type Done = { actionId: string; action: ModerationAction; days: number | null; isNews: boolean }

async function act(
  tx: Tx,
  ctx: Context,
  { subjects, communities }: ModerationParts,
  { row, seat, userId, actor, decision, now }: Deciding,
  { action, days, hideContent = false }: One,
): Promise<Done> {
  const actionId = newId()
  const isExplained = explainedActions.includes(action)
  const reason: ActionReason = isExplained && decision.reason !== null ? decision.reason : 'no_violation'
  await tx
    .insertInto('moderation_actions')
    .values({
      id: actionId,
      case_id: row.id,
      community_id: communityIdOf(seat),
      action,
      subject: row.subject,
      subject_id: row.subject_id,
      user_id: userId,
      moderator_id: actor.id,
      reason,
      explanation: isExplained ? decision.explanation : '',
      note: decision.note,
      ends_at: days === undefined ? null : new Date(now.getTime() + days * dayMs),
      hides_content: hideContent,
      created_at: now,
    })
    .execute()
  const done = { actionId, action, days: days ?? null, isNews: isExplained }
  const thing = { subject: row.subject, subjectId: row.subject_id }
  if (action === 'approve') return { ...done, isNews: await changeState(tx, ctx, subjects, actionId, thing, null) }
  if (action === 'hide') await changeState(tx, ctx, subjects, actionId, thing, 'hidden')
  if (action === 'remove') await changeState(tx, ctx, subjects, actionId, thing, 'removed')
  if (userId !== null && (action === 'mute' || action === 'suspend' || action === 'ban')) {
    const communityId = communityIdOf(seat)
    if (communityId === null) await writeStanding(tx, userId)
    else if (action !== 'suspend') await writeCommunityStanding(tx, ctx, communities, { communityId, userId }, action)
  }
  if (hideContent) await ctx.jobs.enqueue('moderation.hide-content', { actionId }, { tx })
  return done
}

const pasts: Record<ModerationAction, string> = {
  approve: 'approved',
  dismiss: 'dismissed',
  hide: 'hidden',
  remove: 'removed',
  warn: 'the person warned',
  mute: 'the person muted',
  suspend: 'the person suspended',
  ban: 'the person banned',
}

async function whatWasDecided(tx: Tx, caseId: string): Promise<string> {
  const rows = await deedsOfCase(tx, caseId)
  return `This case was decided already: ${rows.map(({ action }) => pasts[action]).join(', ')}.`
}
