import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { completeOnboardingAsBusiness } from '#server/features/accounts/index.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { abandonAccounts, endPlans } from '#server/features/billing/index.ts'
import { lockBusiness, setClaimed, setUnclaimed } from '#server/features/businesses/index.ts'
import { syncMediaUses } from '#server/features/media/index.ts'
import { deleteSourceOf } from '#server/features/menu-imports/index.ts'
import { addOwner, dissolveTeam, ownerOf, type Release, roleOf } from '#server/features/team/index.ts'
import { endTeamRequests, verifyByCode } from '#server/features/verification/index.ts'
import { deleteWebhooksOf } from '#server/features/webhooks/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { claimRow, clearedDocument, type LockedClaim, lockClaimOf, type OpenClaim } from './claims.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'jobs' | 'events'>

/** Idempotent. @throws AppError not_found, forbidden, conflict */
export async function approveClaim(ctx: Ctx, actor: Actor, claimId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { business, claim } = await lockForDecision(tx, actor, claimId)
    if (claim.status === 'approved') return
    if (claim.verification_id !== null) {
      throw new AppError('conflict', {
        message: 'A license can be proven only with the code. Read it to the person who answers the listed number.',
      })
    }
    requireOpen(claim)
    await grantClaim(tx, ctx, { business, claim, decidedBy: actor.id, now })
  })
  ctx.cache.invalidate('businesses')
}

/** The claimant gets the reason. Idempotent. @throws AppError not_found, forbidden, conflict */
export async function rejectClaim(ctx: Ctx, actor: Actor, claimId: string, reason: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { business, claim } = await lockForDecision(tx, actor, claimId)
    if (claim.status === 'rejected') return
    requireOpen(claim)
    await tx
      .updateTable('claims')
      .set({ ...clearedDocument, status: 'rejected', reason, decided_by: actor.id, decided_at: now })
      .where('id', '=', claimId)
      .execute()
    await syncMediaUses(tx, 'claim', [claimId])
    await ctx.jobs.enqueue('claims.mail-outcome', { claimId }, { tx })
    const entry = {
      actorId: actor.id,
      action: 'claim.rejected',
      subjectType: 'claim',
      subjectId: claimId,
      businessId: business.id,
    } as const
    await recordAudit(tx, { ...entry, at: now, details: { method: claim.method, claimant: claim.user_id } })
  })
}

async function lockForDecision(tx: Tx, actor: Actor, claimId: string) {
  const found = await claimRow(tx, claimId)
  // Claims decided by an emailed code are hidden from moderators.
  if (!found || found.method === 'email') throw notFound('Claim not found.')
  if (found.user_id === actor.id) throw new AppError('forbidden', { message: 'You can’t decide your own claim.' })
  const business = await lockBusiness(tx, found.business_id)
  if (!business) throw notFound('Claim not found.')
  if ((await roleOf(tx, business.id, actor.id)) !== null) {
    throw new AppError('forbidden', { message: 'You’re on this business’s team, so someone else has to decide.' })
  }
  return { business, claim: await lockClaimOf(tx, business.id, claimId) }
}

function requireOpen(claim: LockedClaim): asserts claim is OpenClaim {
  if (claim.status !== 'open') throw new AppError('conflict', { message: 'This claim is already closed.' })
}

/**
 * Removes a business's entire team, along with what the next team must not get: license requests and documents, webhooks, the menu address
 * with its password, and payments for subscriptions and plans. Payment accounts that the new owner (`next`) connected earlier stay. Returns
 * the former members, and entries to record at the end of the transaction.
 */
async function endTeam(
  tx: Tx,
  ctx: Pick<Context, 'jobs'>,
  { businessId, next, decidedBy, now }: { businessId: Locked<'businesses'>; next: string | null; decidedBy: string | null; now: Date },
): Promise<{ members: string[]; entries: AuditEntry[] }> {
  const members = await dissolveTeam(tx, businessId, now)
  await deleteWebhooksOf(tx, businessId)
  await deleteSourceOf(tx, businessId)
  const requests = await endTeamRequests(tx, businessId, decidedBy, now)
  const which = sql<boolean>`connected_by is distinct from ${next}::uuid`
  const accounts = await abandonAccounts(tx, ctx, { businessId, which, now })
  await endPlans(tx, ctx, { businessId, next })
  return { members, entries: [...requests, ...accounts] }
}

/** Lists a business as unclaimed when its last team member leaves. It stays in the directory, with its content. */
export const releaseBusiness: Release = async (tx, ctx, businessId, now) => {
  const business = await lockBusiness(tx, businessId)
  if (!business) return []
  const { entries } = await endTeam(tx, ctx, { businessId: business.id, next: null, decidedBy: null, now })
  await setUnclaimed(tx, business.id, now)
  return entries
}

type Business = NonNullable<Awaited<ReturnType<typeof lockBusiness>>>

const noTeam = { members: [], entries: [] }

/**
 * Makes the claimant the owner and closes the business's other open claims. A granted dispute also removes the entire previous
 * team and what it set up, because the wrong owner added them.
 * @throws AppError conflict if the business has an owner and the claim isn't a dispute, or if the claimant owns too many
 */
export async function grantClaim(
  tx: Tx,
  ctx: Pick<Context, 'jobs' | 'events'>,
  { business, claim, decidedBy, now }: { business: Business; claim: OpenClaim; decidedBy: string | null; now: Date },
): Promise<void> {
  const owner = await ownerOf(tx, business.id)
  if (owner !== null && !claim.is_dispute)
    throw new AppError('conflict', { message: 'Someone else claimed this business in the meantime.' })
  const former = claim.is_dispute ? await endTeam(tx, ctx, { businessId: business.id, next: claim.user_id, decidedBy, now }) : noTeam
  await addOwner(tx, { businessId: business.id, userId: claim.user_id, now })
  await ctx.events.publish(tx, 'team.joined', { businessId: business.id })
  await setClaimed(tx, business.id, now)
  await tx
    .updateTable('claims')
    .set({ ...clearedDocument, status: 'approved', proof: decidedBy === null ? 'code' : 'review', decided_by: decidedBy, decided_at: now })
    .where('id', '=', claim.id)
    .execute()
  const others = await tx
    .updateTable('claims')
    .set({ ...clearedDocument, status: 'closed', closed_because: 'claimed', decided_at: now })
    .where('business_id', '=', business.id)
    .where('status', '=', 'open')
    .where('verification_id', 'is', null)
    .returning('id')
    .execute()
  const ended = [claim.id, ...others.map(({ id }) => id)]
  await syncMediaUses(tx, 'claim', ended)
  await completeOnboardingAsBusiness(tx, claim.user_id, business.type, now)
  for (const id of ended) await ctx.jobs.enqueue('claims.mail-outcome', { claimId: id }, { tx })
  for (const userId of former.members) {
    if (userId !== claim.user_id) await ctx.jobs.enqueue('claims.mail-lost', { businessId: business.id, userId }, { tx })
  }
  for (const entry of former.entries) await recordAudit(tx, entry)
  await recordAudit(tx, {
    at: now,
    actorId: decidedBy ?? claim.user_id,
    action: 'claim.approved',
    subjectType: 'claim',
    subjectId: claim.id,
    businessId: business.id,
    details: {
      method: claim.method,
      owner: claim.user_id,
      ownerBefore: owner,
      closedOthers: others.length,
      formerTeam: former.members.length,
    },
  })
}

/**
 * Verifies a license whose code arrived at the contact listed in the register.
 * @throws AppError forbidden, conflict if the request has ended or the register has changed
 */
export async function grantProof(
  tx: Tx,
  ctx: Pick<Context, 'events'>,
  actor: Actor,
  { claim, verificationId, now }: { claim: OpenClaim; verificationId: string; now: Date },
): Promise<void> {
  await tx.updateTable('claims').set({ status: 'approved', proof: 'code', decided_at: now }).where('id', '=', claim.id).execute()
  const verified = await verifyByCode(tx, ctx, actor, { businessId: claim.business_id, verificationId, now })
  await recordAudit(tx, {
    at: now,
    actorId: actor.id,
    action: 'claim.approved',
    subjectType: 'claim',
    subjectId: claim.id,
    businessId: claim.business_id,
    details: { method: claim.method, verification: verificationId },
  })
  await recordAudit(tx, verified)
}
