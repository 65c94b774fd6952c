import type { Claim, LicenseProof, NewLicenseProof } from '#contracts/claims.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness } from '#server/features/businesses/index.ts'
import { requirePermission, roleMay, roleOf } from '#server/features/team/index.ts'
import { lockVerification, provableRow, verificationRow } from '#server/features/verification/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { limitByRecipient } from '#server/kernel/limit-by-recipient.ts'
import { type ClaimRow, claimRow, closeClaim, latestProof, openProofOf } from './claims.queries.ts'
import { isCodeExpired, toClaim } from './claims.view.ts'
import { emailDomainsOf, isAtDomain } from './domains.ts'
import { codeProofOf, isSame, requireFewCodes, requireRealAccount } from './open-claim.ts'

type Row = NonNullable<Awaited<ReturnType<typeof provableRow>>>

/** A licensee's contacts in the register, never ones entered here. */
const contactsOf = ({ website, phone }: Row) => ({ websites: website === null ? [] : [website], phone })

/** @throws AppError not_found */
export async function getLicenseProof(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Pick<Actor, 'id'>,
  verificationId: string,
): Promise<LicenseProof> {
  const request = await requireOwnRequest(db, actor, verificationId)
  const row = request.status === 'pending' ? await provableRow(db, request) : null
  const claim = await latestProof(db, actor.id, verificationId)
  return {
    emailDomains: row ? emailDomainsOf(contactsOf(row).websites) : [],
    phone: row?.phone ?? null,
    claim: claim ? toClaim(claim, clock.now()) : null,
  }
}

/**
 * Sends a code to the contact that the register lists for the license, or requests a call there. Returns the open proof if it is
 * the same request; another method closes the previous one.
 * @throws AppError not_found, forbidden, invalid_input, conflict if only a document can prove it, too_many_requests
 */
export async function openLicenseProof(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'rateLimiter'>,
  actor: Actor,
  verificationId: string,
  input: NewLicenseProof,
): Promise<Claim> {
  const { emailDomains } = await getLicenseProof(ctx, actor, verificationId)
  // Count only addresses that get a mail; otherwise their owners' allowance could be used up.
  if (input.method === 'email' && isAtDomain(input.email, emailDomains)) await limitByRecipient(ctx.rateLimiter, 'claim', input.email)
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { business_id: businessId } = await requireOwnRequest(tx, actor, verificationId)
    await lockBusiness(tx, businessId)
    await requirePermission(tx, actor, businessId, 'license', { lock: true })
    await requireRealAccount(tx, actor.id)
    const request = await lockVerification(tx, verificationId)
    if (request.status !== 'pending') throw new AppError('conflict', { message: 'This request is closed. Send a new one.' })
    const row = await provableRow(tx, request)
    if (!row) throw new AppError('conflict', { message: 'A code is not enough for this license. Add the license as a PDF.' })
    const proof = codeProofOf(contactsOf(row), input, now)
    const open = await openProofOf(tx, verificationId)
    if (open && open.user_id === actor.id && isSame(open, proof) && !isCodeExpired(open, now)) return toClaim(open, now)
    if (open) await closeClaim(tx, open.id, isCodeExpired(open, now) ? 'expired' : 'withdrawn', now)
    await requireFewCodes(tx, actor.id, { licenseId: row.id }, now)
    const id = newId()
    await tx
      .insertInto('claims')
      .values({
        ...{ id, business_id: businessId, user_id: actor.id, verification_id: verificationId, status: 'open', created_at: now },
        ...proof,
      })
      .execute()
    if (proof.method === 'email') await ctx.jobs.enqueue('claims.mail-code', { claimId: id }, { tx })
    const answer = toClaim((await claimRow(tx, id)) as ClaimRow, now)
    await recordAudit(tx, {
      at: now,
      actorId: actor.id,
      action: 'claim.opened',
      subjectType: 'claim',
      subjectId: id,
      businessId,
      details: { method: input.method, verification: verificationId },
    })
    return answer
  })
}

/** Hidden from everyone else. @throws AppError not_found */
async function requireOwnRequest(db: Db, actor: Pick<Actor, 'id'>, id: string) {
  const request = await verificationRow(db, id)
  if (!request || !roleMay(await roleOf(db, request.business_id, actor.id), 'license')) throw notFound('Request not found.')
  return request
}
