import type { Agreement } from '../../../contracts/billing.ts'
import { forOneBusiness } from '../../../contracts/entitlements.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { requirePermission, roleOf, type TeamBusiness } from '../team/index.ts'
import { longDay } from './agreement-words.ts'
import { type AgreementRow, lockAgreement } from './agreements.queries.ts'
import { loadAgreement, movableFrom } from './agreements.view.ts'
import { writeNotes } from './apply-state.ts'
import { businessEntitlements } from './entitlements.ts'
import { findPlan, type KnownPlan } from './plans.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/**
 * Says which business a plan is for: once for a business's plan that was bought before there was one; now and then for a person's plan
 * that lifts the limit of one menu. Saying the same again changes nothing.
 * @throws AppError not_found, forbidden, conflict
 */
export async function assignAgreement(ctx: Ctx, actor: Actor, id: string, businessId: string): Promise<Agreement> {
  await inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, businessId, 'billing', { lock: true })
    const locked = await lockAgreement(tx, id)
    if (!locked || locked.row.payer_id !== actor.id) throw notFound('This purchase is not here.')
    const { row } = locked
    if (row.business_id === business.id || row.menu_business_id === business.id) return
    const plan = row.plan_id === null ? null : findPlan(row.plan_id)
    if (row.status === 'ended') throw new AppError('conflict', { message: 'This purchase has ended.' })
    const now = ctx.clock.now()
    let place: { business_id: string } | { menu_business_id: string; menu_chosen_at: Date }
    if (plan?.audience === 'business') {
      await refuseAssigned(tx, row, plan, business)
      place = { business_id: business.id }
    } else {
      if (forOneBusiness(row.plan_id).length === 0) throw new AppError('conflict', { message: 'This purchase is for no business.' })
      await refuseSoonMove(tx, actor, row, now)
      await refuseLifted(tx, business, now)
      place = { menu_business_id: business.id, menu_chosen_at: now }
    }
    const title = `${plan?.name} for ${business.name}`
    await tx
      .updateTable('agreements')
      .set({ ...place, title, updated_at: now })
      .where('id', '=', id)
      .execute()
    for (const changed of new Set([business.id, row.menu_business_id])) {
      if (changed) await ctx.events.publish(tx, 'billing.entitlements-changed', { businessId: changed, userId: null })
    }
    await writeNotes(tx, [
      {
        at: now,
        actorId: actor.id,
        action: 'agreement.assigned',
        subjectType: 'agreement',
        subjectId: id,
        businessId: business.id,
        details: { planId: row.plan_id },
      },
    ])
  })
  return loadAgreement(ctx, id, { id: actor.id, mayBill: true })
}

async function refuseAssigned(tx: Tx, row: AgreementRow, plan: KnownPlan, business: TeamBusiness): Promise<void> {
  if (row.business_id !== null) throw new AppError('conflict', { message: 'This plan is for another business, and stays there.' })
  const other = await tx
    .selectFrom('agreements')
    .select('id')
    .where('business_id', '=', business.id)
    .where('plan_id', '=', plan.id)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .executeTakeFirst()
  if (other) throw new AppError('conflict', { message: 'This business has that plan already.' })
}

async function refuseSoonMove(tx: Tx, actor: Actor, row: AgreementRow, now: Date): Promise<void> {
  const isOwner = row.menu_business_id !== null && (await roleOf(tx, row.menu_business_id, actor.id)) === 'owner'
  const from = movableFrom(row, isOwner, now)
  if (from) throw new AppError('conflict', { message: `You can move this plan to another business on ${longDay(from)}.` })
}

/** No one pays for a limit that is lifted already. @throws AppError conflict */
export async function refuseLifted(db: Db, { id, name }: Pick<TeamBusiness, 'id' | 'name'>, now: Date): Promise<void> {
  if (!(await businessEntitlements(db, id, now)).has('unlimited_menu')) return
  throw new AppError('conflict', { message: `The menu of ${name} has no limit already.` })
}
