import { explainedActions } from '#contracts/moderation.rules.ts'
import type { ActionReason, ActsFor, CaseDecision, ModerationAction, ModerationDecision } from '#contracts/moderation.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { asLocked, type Locked } from '#server/db/locked.ts'
import { inTransaction, retryOn } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import type { SubjectFacts } from '#server/kernel/moderated-subject.ts'
import { caseRow, reportTables } from './cases.ts'
import { type DecisionRow, decisionRow, decisionsByIds, decisionsOfCase, toDecisions, undoRefusals } from './decisions.ts'
import { changeState, effectsOf, revertEffect, writeCommunitySanctions, writeSanctions } from './effects.ts'
import { decisionMismatch, decisionRefusal, type ModeratorScope, mayOnlyRelease, requireModeratorScope, rolesBetween } from './may-act.ts'
import { asOfNow, findSubject, lockAffected, type ModerationParts, previewVersion } from './subjects.ts'

type Decided = { id: string; decisions: ModerationDecision[] }
type CaseAction = CaseDecision['actions'][number]
type LockedCase = NonNullable<Awaited<ReturnType<typeof caseRow>>>

/**
 * If two decisions are made concurrently, the second fails with a conflict that states the first.
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
      const { row, moderatorScope, facts, decidedBy } = await lockCase(tx, parts, actor, id, decision.actsFor, now)
      if (row.status === 'decided') throw new AppError('conflict', { message: await whatWasDecided(tx, id) })
      const { userId, decider, concerned } = await rolesBetween(tx, decidedBy, moderatorScope, row, facts)
      const refusal = decisionRefusal(decider, concerned)
      if (refusal !== null) throw new AppError('forbidden', { message: refusal })
      if (mayOnlyRelease(decider, concerned) && decision.actions.some(({ action }) => action !== 'approve')) {
        throw new AppError('forbidden', {
          message: 'You can only approve this. Any other decision about a moderator is up to the site’s moderators.',
        })
      }
      requireFitting(moderatorScope, facts, userId, decision)
      await close(tx, id, actor, now)
      const done: Done[] = []
      for (const one of decision.actions)
        done.push(await act(tx, ctx, parts, { row, moderatorScope, facts, userId, actor, decision, now }, one))
      await refuseOutdated(tx, parts, row, decision)
      for (const { actionId, isNews } of done) if (isNews && userId !== null) await ctx.events.publish(tx, 'moderation.acted', { actionId })
      const rows = await decisionsByIds(
        tx,
        done.map(({ actionId }) => actionId),
      )
      const answer = { id, decisions: await toDecisions(tx, parts, decidedBy, moderatorScope, rows, now) }
      for (const { actionId, action, days } of done) {
        await recordAudit(tx, {
          at: now,
          actorId: actor.id,
          action: `moderation.${action}`,
          subjectType: row.subject,
          subjectId: row.subject_id,
          businessId: facts?.businessId ?? null,
          details: { caseId: id, actionId, reason: decision.reason, days, communityId: communityIdOf(moderatorScope) },
        })
      }
      return answer
    }),
  )
  // Invalidate again after the commit: a concurrent request may have cached the old state.
  ctx.cache.invalidate('businesses')
  return decided
}

const communityIdOf = (moderatorScope: ModeratorScope) => (moderatorScope.actsFor === 'community' ? moderatorScope.communityId : null)

/** Locks the case and what a decision may change besides its subject. Actors without access get not_found. */
async function lockCase(
  tx: Tx,
  { subjects, communities }: ModerationParts,
  actor: Actor,
  id: string,
  chosen: ActsFor | undefined,
  now: Date,
) {
  const found = await caseRow(tx, id)
  if (!found) throw notFound('Case not found.')
  const { subject, subject_id: subjectId } = found
  const before = await findSubject(tx, subjects, subject, subjectId)
  await lockAffected(tx, {
    communityId: found.community_id,
    businessId: before?.businessId ?? null,
    people: [actor.id, before?.userId ?? found.user_id],
    subject,
    subjectId,
  })
  const row = (await caseRow(tx, id)) as LockedCase
  const decidedBy = await asOfNow(tx, actor, now)
  const moderatorScope = await requireModeratorScope(tx, communities, decidedBy, row, now, { chosen })
  return { row, moderatorScope, decidedBy, facts: await findSubject(tx, subjects, subject, subjectId) }
}

/** @throws AppError conflict if the actions aren't possible for this case, invalid_input */
function requireFitting(
  moderatorScope: ModeratorScope,
  facts: SubjectFacts | undefined,
  userId: string | null,
  { actions }: CaseDecision,
): void {
  const problem = decisionMismatch(
    moderatorScope,
    facts,
    userId !== null,
    actions.map(({ action }) => action),
  )
  if (problem !== null) throw new AppError('conflict', { message: problem })
  for (const { action, days, hideContent } of actions) {
    if (action !== 'ban') continue
    if (moderatorScope.actsFor === 'site' && days !== undefined) {
      throw new AppError('invalid_input', { message: 'A ban from the site has no end date. Suspend the account instead.' })
    }
    if (moderatorScope.actsFor === 'community' && hideContent) {
      throw new AppError('invalid_input', { message: 'Only a ban from the site can hide what the person wrote.' })
    }
  }
}

async function close(tx: Tx, id: string, actor: Actor, now: Date): Promise<void> {
  const decided = { status: 'decided' as const, decided_at: now, decided_by: actor.id }
  await tx.updateTable('moderation_cases').set(decided).where('id', '=', id).execute()
  await setResolved(tx, id, now)
}

/**
 * Call after the actions: those on the content lock it, so that it can't be edited after this check.
 * @throws AppError conflict if the content was edited or deleted after the moderator read it
 */
async function refuseOutdated(tx: Tx, { subjects }: ModerationParts, row: LockedCase, { version }: CaseDecision): Promise<void> {
  if (version === undefined) return
  const previews = await subjects[row.subject].preview(tx, [row.subject_id])
  if (previewVersion(previews.get(row.subject_id)) === version) return
  throw new AppError('conflict', { message: 'This changed after you opened the case. Read it again before you decide.' })
}

type Deciding = {
  row: LockedCase
  moderatorScope: ModeratorScope
  facts: SubjectFacts | undefined
  userId: string | null
  actor: Actor
  decision: CaseDecision
  now: Date
}
/** `isNews`: whether the person is notified. They aren't notified of a dismissal, or of an approval that changed nothing. */
type Done = { actionId: string; action: ModerationAction; days: number | null; isNews: boolean }

async function act(
  tx: Tx,
  ctx: Context,
  { subjects, communities }: ModerationParts,
  { row, moderatorScope, userId, actor, decision, now }: Deciding,
  { action, days, hideContent = false }: CaseAction,
): Promise<Done> {
  const actionId = newId()
  const isExplained = explainedActions.includes(action)
  const reason: ActionReason = isExplained && decision.reason !== null ? decision.reason : 'no_violation'
  await tx
    .insertInto('moderation_actions')
    .values({
      id: actionId,
      case_id: row.id,
      community_id: communityIdOf(moderatorScope),
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
    const communityId = communityIdOf(moderatorScope)
    if (communityId === null) await writeSanctions(tx, userId)
    else if (action !== 'suspend') await writeCommunitySanctions(tx, ctx, communities, { communityId, userId }, action, false)
    if (communityId === null && action === 'ban') await ctx.events.publish(tx, 'person.banned', { userId })
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
  const rows = await decisionsOfCase(tx, caseId)
  return `This case was already decided: ${rows.map(({ action }) => pasts[action]).join(', ')}.`
}

/** Undoes an action. Idempotent. The site's moderators may also undo actions by community moderators. */
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
    // Only site moderators may undo actions taken for the whole site, even inside a community.
    const concern = { subject: decision.subject, community_id: decision.community_id, is_for_site: decision.community_id === null }
    const undoneBy = await asOfNow(tx, actor, now)
    const chosen = hasRole(undoneBy, 'moderator') ? 'site' : undefined
    const moderatorScope = await requireModeratorScope(tx, parts.communities, undoneBy, concern, now, {
      chosen,
      missing: 'Action not found.',
    })
    const refusal = (await undoRefusals(tx, parts, undoneBy, moderatorScope, [decision], now)).get(id)
    if (refusal) throw new AppError('forbidden', { message: refusal })
    const isUndone = decision.undone_at !== null
    if (!isUndone) {
      const isNews = await revertDecision(tx, ctx, parts, decision, { actorId: actor.id, reason, now })
      if (isNews) await ctx.events.publish(tx, 'moderation.acted', { actionId: id })
    }
    const [view] = await toDecisions(tx, parts, undoneBy, moderatorScope, [(await decisionRow(tx, id)) as DecisionRow], now)
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

type LockedDecision = DecisionRow & { id: Locked<'moderation_actions'> }

export async function lockDecision(
  tx: Tx,
  { subjects }: Pick<ModerationParts, 'subjects'>,
  id: string,
  actorId: string,
): Promise<LockedDecision> {
  const found = await decisionRow(tx, id)
  if (!found) throw notFound('Action not found.')
  const facts = await findSubject(tx, subjects, found.subject, found.subject_id)
  await lockAffected(tx, {
    communityId: found.community_id ?? facts?.communityId ?? null,
    businessId: facts?.businessId ?? null,
    people: [actorId, found.user_id, facts?.userId ?? null],
    subject: found.subject,
    subjectId: found.subject_id,
  })
  await tx.selectFrom('moderation_actions').select('id').where('id', '=', id).forUpdate().execute()
  return { ...((await decisionRow(tx, id)) as DecisionRow), id: asLocked('moderation_actions', id) }
}

/** Undoes an action. Returns whether to notify the person concerned. No-op if the action is already undone. */
export async function revertDecision(
  tx: Tx,
  ctx: Context,
  parts: ModerationParts,
  decision: LockedDecision,
  by: { actorId: string; reason: string; now: Date },
): Promise<boolean> {
  if (decision.undone_at !== null) return false
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
      if ((await revertEffect(tx, ctx, parts.subjects, effect)) === 'held') isHeldAgain = true
    }
  }
  if (userId !== null && (action === 'mute' || action === 'suspend' || action === 'ban')) {
    if (communityId === null) await writeSanctions(tx, userId)
    else if (action !== 'suspend') await writeCommunitySanctions(tx, ctx, parts.communities, { communityId, userId }, action, true)
  }
  // Content that is held again, or whose approval or dismissal is undone, needs a new decision.
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
  await retryOn('moderation_cases_open', tx.updateTable('moderation_cases').set(reopened).where('id', '=', caseId).execute())
  await setResolved(tx, caseId, null)
}

async function setResolved(tx: Tx, caseId: string, resolvedAt: Date | null): Promise<void> {
  for (const table of reportTables) {
    await tx
      .updateTable(table)
      .set({ resolved_at: resolvedAt })
      .where('case_id', '=', caseId)
      .$if(resolvedAt !== null, (query) => query.where('resolved_at', 'is', null))
      .execute()
  }
}
