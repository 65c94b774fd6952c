import type { Hunt } from '../../../contracts/hunts.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { requireHunt } from './hunt-access.ts'
import { recordHuntEvents } from './hunt-events.ts'
import { requireDayPassed, today } from './hunt-rules.ts'
import { updateHunt } from './hunts.queries.ts'
import { loadHunt } from './read-hunts.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** One that is completed stays as it is, with its day. @throws AppError not_found, forbidden, invalid_input */
export async function completeHunt(ctx: Ctx, actor: Actor, huntId: string, given: string | undefined): Promise<Hunt> {
  const now = ctx.clock.now()
  const completedOn = given ?? today(now)
  requireDayPassed('completedOn', completedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    if (hunt.is_active) {
      await updateHunt(tx, huntId, { is_active: false, completed_on: completedOn, updated_at: now })
      await recordHuntEvents(tx, [{ huntId, kind: 'hunt.completed', happenedOn: completedOn, recordedBy: actor.id, now }])
    }
    return loadHunt(tx, actor, huntId)
  })
}

/** One that is active stays as it is. @throws AppError not_found, forbidden */
export async function reopenHunt(ctx: Ctx, actor: Actor, huntId: string): Promise<Hunt> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    if (!hunt.is_active) {
      await updateHunt(tx, huntId, { is_active: true, completed_on: null, updated_at: now })
      await recordHuntEvents(tx, [{ huntId, kind: 'hunt.reopened', happenedOn: today(now), recordedBy: actor.id, now }])
    }
    return loadHunt(tx, actor, huntId)
  })
}
