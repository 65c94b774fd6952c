import { sql } from 'kysely'
import { type Agreement, PaymentProviderName } from '#contracts/billing.ts'
import { forOneBusiness } from '#contracts/entitlements.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { labelForMember, requireInBusiness } from '#server/features/businesses/index.ts'
import { businessBlock, refuseBlockedBusiness } from '#server/features/follows/index.ts'
import { requirePermission, roleOf, type TeamBusiness } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { ProviderUnavailable } from '#server/kernel/payments.ts'
import { afterCanceling, afterResuming, canResume } from './agreement-state.ts'
import {
  type AgreementRow,
  findAgreement,
  findByProvider,
  findOtherRunningAgreements,
  isPayerOnTeam,
  lockAgreement,
  mustEnd,
  stateOf,
} from './agreements.queries.ts'
import { applyState, begin, desiredProviderState, isAbandoned, type Notes, writeNotes } from './apply-state.ts'
import { rethrowUnavailable } from './checkouts.ts'
import { longDay } from './confirmations.ts'
import { businessEntitlements } from './entitlements.ts'
import { providerFor } from './payment-accounts.queries.ts'
import { findPlan, type KnownPlan } from './plans.ts'
import { loadAgreement, movableFrom, requireBilling } from './read-agreements.ts'
import { type SyncCtx, syncAgreement } from './sync-agreement.ts'

/**
 * Cancels a purchase at the end of its paid period. It's canceled here first, which also queues the job that pauses it at the
 * provider; then it's paused there immediately unless the provider is unreachable. Allowed for the payer and the owner of the
 * plan's business.
 * @throws AppError not_found
 */
export async function cancelAgreement(ctx: SyncCtx, actor: Actor, id: string): Promise<Agreement> {
  const viewer = await mayEnd(ctx, actor, id)
  await cancelLocally(ctx, id, actor.id)
  await settleSoon(ctx, id)
  return loadAgreement(ctx, id, viewer)
}

/** The queued job retries if this fails. */
const settleSoon = (ctx: SyncCtx, id: string): Promise<void> =>
  settleAtProvider(ctx, id).catch((error: unknown) =>
    ctx.log.warn({ err: error, agreementId: id }, 'the provider could not be updated; retrying later'),
  )

async function mayEnd(ctx: SyncCtx, actor: Actor, id: string): Promise<{ id: string; mayBill: boolean }> {
  const row = await findAgreement(ctx.db, id)
  if (row?.payer_id === actor.id) return { id: actor.id, mayBill: false }
  if (!row?.business_id) throw notFound('Purchase not found.')
  await requireBilling(ctx.db, actor, row.business_id).catch(() => {
    // Don't reveal the purchase to people without access.
    throw notFound('Purchase not found.')
  })
  return { id: actor.id, mayBill: true }
}

/** Idempotent. `actorId` is null for the system. */
export async function cancelLocally(ctx: SyncCtx, id: string, actorId: string | null): Promise<void> {
  const countChanged = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id)
    if (!locked || locked.row.canceled_at) return false
    const notes: Notes = []
    const changed = await applyState(ctx, tx, locked, afterCanceling(stateOf(locked.row), ctx.clock.now()), actorId, notes)
    await writeNotes(tx, notes)
    return changed
  })
  if (countChanged) ctx.cache.invalidate('businesses')
}

const maxTurns = 5

/**
 * Applies the agreement's state at the provider, then checks it again: cancel and resume may race here, and whichever acts last
 * at the provider re-reads the agreement, so the agreement wins.
 * @throws ProviderUnavailable
 */
export async function settleAtProvider(ctx: SyncCtx, id: string): Promise<void> {
  for (let turn = 0; turn < maxTurns; turn++) {
    const row = await findAgreement(ctx.db, id)
    if (!row || row.closed_at || !row.provider_subscription_id) return
    const wanted = desiredProviderState(row, stateOf(row))
    const provider = await providerFor(ctx, row)
    if (!provider) return
    if (wanted === 'closed') await provider.cancelSubscription(row.provider_subscription_id, 'Ended by the subscriber')
    else if (wanted === 'paused') await provider.pauseSubscription(row.provider_subscription_id, 'Canceled by the subscriber')
    else await provider.resumeSubscription(row.provider_subscription_id, 'Resumed by the subscriber')
    const now = await findAgreement(ctx.db, id)
    if (now && desiredProviderState(now, stateOf(now)) === wanted) return syncAgreement(ctx, provider, now)
  }
  throw new ProviderUnavailable('The agreement kept changing.')
}

export async function closeStray(ctx: SyncCtx, stray: { provider: string; accountId?: string | null; subscriptionId: string }) {
  const { accountId = null, subscriptionId } = stray
  const provider = await providerFor(ctx, { provider: PaymentProviderName.parse(stray.provider), account_id: accountId })
  if (!provider || (await findByProvider(ctx.db, provider, subscriptionId))) return
  await provider.cancelSubscription(subscriptionId, 'Not what was ordered')
}

/**
 * Ends a person's payments after their subscription ended without being canceled, for example because of a block. A purchase that
 * awaits its first payment has no subscription yet, so only a block ends it.
 */
export async function endPaymentsFor(ctx: SyncCtx, job: { businessId: string; userId: string }): Promise<void> {
  const { userId } = job
  const businessId = await remainingBusiness(ctx.db, job.businessId)
  const isBlocked = (await businessBlock(ctx.db, userId, businessId)) !== null
  const rows = await ctx.db
    .selectFrom('agreements')
    .select('id')
    .where('payer_id', '=', userId)
    .where('subscribe_to', '=', businessId)
    .where('status', 'in', isBlocked ? ['pending', 'active', 'past_due'] : ['active', 'past_due'])
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('subscriptions').select('user_id').where('user_id', '=', userId).where('business_id', '=', businessId)),
      ),
    )
    .execute()
  for (const { id } of rows) await cancelLocally(ctx, id, null)
}

/** A job may find its business merged into another one, which now has its purchases. */
async function remainingBusiness(db: Db, id: string): Promise<string> {
  const redirect = await db.selectFrom('business_redirects').select('business_id').where('from_id', '=', id).executeTakeFirst()
  return redirect?.business_id ?? id
}

/**
 * Queues canceling the plans that anyone but its new owner (`next`) pays for a business whose whole team was removed. They are named, because
 * a dispute doesn't show later whose plans it ended: its payer may win the business back, and claims move with a merge.
 */
export async function endPlans(
  tx: Tx,
  { jobs }: Pick<Context, 'jobs'>,
  { businessId, next }: { businessId: Locked<'businesses'>; next: string | null },
): Promise<void> {
  const plans = await tx
    .selectFrom('agreements')
    .select('id')
    .where('business_id', '=', businessId)
    .where('payer_id', 'is not', null)
    .where(sql<boolean>`payer_id is distinct from ${next}::uuid`)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .where('canceled_at', 'is', null)
    .execute()
  if (plans.length === 0) return
  await jobs.enqueue('billing.end-plans', { agreementIds: plans.map(({ id }) => id) }, { tx })
}

/** Cancels these plans, except those whose payers are on the business's team again. They last until the paid period ends. */
export async function endLostPlans(ctx: SyncCtx, agreementIds: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('agreements')
    .select('id')
    .where(sql<boolean>`id = any(${agreementIds}::uuid[]) and not ${isPayerOnTeam}`)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .where('canceled_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of rows) await cancelLocally(ctx, id, null)
}

/**
 * Cancels the paid subscriptions and plans, of one business or of all, that no one may be charged for anymore, and emails a confirmation to
 * each payer who has paid. They last until the paid period ends. Skips those that may be charged for again by the time this runs.
 */
export async function endSubscriptions(ctx: SyncCtx, businessId: string | null): Promise<void> {
  let ending = ctx.db
    .selectFrom('agreements')
    .select('id')
    .where(mustEnd)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .where('canceled_at', 'is', null)
  if (businessId !== null) {
    const id = await remainingBusiness(ctx.db, businessId)
    ending = ending.where((eb) => eb.or([eb('subscribe_to', '=', id), eb('business_id', '=', id)]))
  }
  const rows = await ending.orderBy('id').execute()
  for (const { id } of rows) await cancelLocally(ctx, id, null)
}

/** Cancels what banned people pay for, because they can't use it. They can resume it if the ban is undone before the paid period ends. */
export async function endPurchasesOfBanned(ctx: SyncCtx, userId: string | null): Promise<void> {
  const rows = await ctx.db
    .selectFrom('agreements')
    .innerJoin('users', 'users.id', 'agreements.payer_id')
    .select('agreements.id')
    .where('users.banned_at', 'is not', null)
    .$if(userId !== null, (ending) => ending.where('users.id', '=', userId))
    .where('agreements.status', 'in', ['pending', 'active', 'past_due'])
    .where('agreements.canceled_at', 'is', null)
    .orderBy('agreements.id')
    .execute()
  for (const { id } of rows) await cancelLocally(ctx, id, null)
}

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'payments'>

/**
 * Assigns a plan to a business. A business plan can be assigned only once, if it was bought without a business. A personal plan that
 * lifts the limit of one menu can be moved whenever `movableFrom` allows. Idempotent.
 * @throws AppError not_found, forbidden, conflict
 */
export async function assignAgreement(ctx: Ctx, actor: Actor, id: string, businessId: string): Promise<Agreement> {
  await inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, businessId, 'billing', { lock: true })
    const locked = await lockAgreement(tx, id)
    if (!locked || locked.row.payer_id !== actor.id) throw notFound('Purchase not found.')
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
      if (forOneBusiness(row.plan_id).length === 0) throw new AppError('conflict', { message: 'This purchase isn’t for a business.' })
      await refuseSoonMove(tx, actor, row, now)
      await refuseLifted(tx, business, now)
      place = { menu_business_id: business.id, menu_chosen_at: now }
    }
    const title = `${plan?.name} for ${await labelForMember(tx, actor.id, business)}`
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
  if (row.business_id !== null) throw new AppError('conflict', { message: 'This plan belongs to another business and can’t be moved.' })
  const other = await tx
    .selectFrom('agreements')
    .select('id')
    .where('business_id', '=', business.id)
    .where('plan_id', '=', plan.id)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .executeTakeFirst()
  if (other) throw new AppError('conflict', { message: 'This business already has that plan.' })
}

async function refuseSoonMove(tx: Tx, actor: Actor, row: AgreementRow, now: Date): Promise<void> {
  const isOwner = row.menu_business_id !== null && (await roleOf(tx, row.menu_business_id, actor.id)) === 'owner'
  const from = movableFrom(row, isOwner, now)
  if (from) throw new AppError('conflict', { message: `You can move this plan to another business starting ${longDay(from)}.` })
}

/** @throws AppError conflict if the limit is already lifted */
export async function refuseLifted(db: Db, { id, name }: Pick<TeamBusiness, 'id' | 'name'>, now: Date): Promise<void> {
  if (!(await businessEntitlements(db, id, now)).has('unlimited_menu')) return
  throw new AppError('conflict', { message: `The menu of ${name} is already unlimited.` })
}

/**
 * Undoes a cancellation, so that the purchase renews as before. Checks first that the provider still allows it. Idempotent. Only
 * the payer may resume, because the payer is charged.
 * @throws AppError not_found, forbidden, conflict, unavailable
 */
export async function resumeAgreement(ctx: SyncCtx, actor: Actor, id: string): Promise<Agreement> {
  const row = await findAgreement(ctx.db, id)
  if (row?.payer_id !== actor.id) throw notFound('Purchase not found.')
  if (row.canceled_at) {
    await askProvider(ctx, row).catch(rethrowUnavailable(ctx, 'Nothing was resumed. Try again in a minute.'))
    await resumeLocally(ctx, actor, id)
    await settleSoon(ctx, id)
  }
  return loadAgreement(ctx, id, { id: actor.id, mayBill: false })
}

async function askProvider(ctx: SyncCtx, row: AgreementRow): Promise<void> {
  const provider = await providerFor(ctx, row)
  if (provider) await syncAgreement(ctx, provider, row)
}

async function resumeLocally(ctx: SyncCtx, actor: Actor, id: string): Promise<void> {
  const countChanged = await inTransaction(ctx.db, async (tx) => {
    const parts = await tx.selectFrom('agreements').select('business_id').where('id', '=', id).executeTakeFirst()
    // A payer who transferred the business to someone else may end its plan, but not resume it.
    if (parts?.business_id) await requirePermission(tx, actor, parts.business_id, 'billing', { lock: true })
    const locked = await lockAgreement(tx, id)
    if (locked?.row.payer_id !== actor.id) throw notFound('Purchase not found.')
    const { row } = locked
    const state = stateOf(row)
    if (!state.isCanceled) return false
    const now = ctx.clock.now()
    if (!canResume(state, now) || isAbandoned(row)) throw new AppError('conflict', { message: tooLate(row) })
    await refuseReplaced(tx, row)
    if (row.subscribe_to) {
      await refuseBlockedBusiness(tx, actor.id, row.subscribe_to)
      await requireInBusiness(tx, row.subscribe_to)
      await refuseEnding(tx, row)
    }
    const notes: Notes = []
    const changed = await applyState(ctx, tx, locked, afterResuming(state, now), actor.id, notes)
    // Resubscribes a payer who unsubscribed after canceling.
    const begun = await begin(ctx, tx, locked)
    await writeNotes(tx, notes)
    return changed || begun
  })
  if (countChanged) ctx.cache.invalidate('businesses')
}

const tooLate = ({ status, closed_at }: AgreementRow): string =>
  status === 'canceled' && closed_at !== null
    ? 'The payment provider has closed it permanently, so it can’t be resumed. You can buy it again once it has ended.'
    : 'This purchase has ended. You can buy it again.'

/** @throws AppError conflict */
async function refuseEnding(tx: Tx, { id }: AgreementRow): Promise<void> {
  const ending = await tx.selectFrom('agreements').select('id').where('id', '=', id).where(mustEnd).executeTakeFirst()
  if (!ending) return
  throw new AppError('conflict', { message: 'This business no longer accepts payments this way, so you can’t resume the subscription.' })
}

/** Prevents paying for both a plan and its replacement. @throws AppError conflict */
async function refuseReplaced(tx: Tx, row: AgreementRow): Promise<void> {
  const next = await tx
    .selectFrom('agreements')
    .select('title')
    .where('replaces', '=', row.id)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .executeTakeFirst()
  if (next) throw new AppError('conflict', { message: `${next.title} has replaced it. Cancel that plan first.` })
  if ((await findOtherRunningAgreements(tx, row)).length > 0)
    throw new AppError('conflict', { message: 'You have already bought this again.' })
}

const batch = 50

/**
 * Cancels recurring purchases here. A job queued in the same transaction stops the charges at the provider, however long the
 * provider is unreachable. Past purchases and payments are kept as business records without a name.
 */
export const cancelPurchases: EraseStep = {
  name: 'purchases',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db
      .selectFrom('agreements')
      .select('id')
      .where('payer_id', '=', userId)
      .where('status', 'in', ['pending', 'active', 'past_due'])
      .where('canceled_at', 'is', null)
      .limit(batch)
      .execute()
    for (const { id } of rows) await cancelLocally(ctx, id, null)
    return rows.length
  },
}
