import { type Claim, codeAttempts, type LicenseProof, type NewClaim, type NewLicenseProof, phoneCodeDays } from '#contracts/claims.ts'
import { mailedCodeMinutes } from '#contracts/limits.ts'
import { dayMs, minuteMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { completeOnboardingAsBusiness } from '#server/features/accounts/index.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness } from '#server/features/businesses/index.ts'
import { requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { ownerOf, requirePermission, roleCan, roleOf } from '#server/features/team/index.ts'
import { lockVerification, provableRow, verificationRow } from '#server/features/verification/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { limitByRecipient } from '#server/kernel/rate-limit.ts'
import {
  type ClaimRow,
  type CodesAt,
  claimRow,
  closeClaim,
  countClaims,
  latestProof,
  listedContacts,
  openClaimOf,
  openProofOf,
} from './claims.queries.ts'
import { emailDomainsOf, isAtDomain } from './domains.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'rateLimiter'>

/** A claim allows five guesses at a million codes, so a day allows 25 per account and 50 per listing or license. */
const maxClaimsPerAccount = 5
const maxCodesPerContact = 10

/**
 * Returns the open claim if it is the same request; a different one closes the previous claim.
 * @throws AppError not_found, forbidden, conflict, invalid_input, too_many_requests
 */
export async function openClaim(ctx: Ctx, actor: Actor, input: NewClaim): Promise<Claim> {
  // Count only requests that send an email; otherwise strangers could use up another person's allowance.
  if (input.method === 'email' && isAtDomain(input.email, emailDomainsOf((await listedContacts(ctx.db, input.businessId)).websites))) {
    await limitByRecipient(ctx.rateLimiter, 'claim', input.email)
  }
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await lockBusiness(tx, input.businessId)
    if (!business) throw notFound('Business not found.')
    if (business.is_demo) throw new AppError('conflict', { message: 'This is a fictional business. No one can own it.' })
    const account = await requireRealAccount(tx, actor.id)
    if ((await roleOf(tx, business.id, actor.id)) !== null)
      throw new AppError('conflict', { message: 'You’re already on this business’s team.' })
    const isOwned = (await ownerOf(tx, business.id)) !== null
    if (isOwned && input.method !== 'review') throw new AppError('conflict', { message: ownedMessage })
    const proof = await proofOf(tx, input, now)
    const open = await openClaimOf(tx, actor.id, business.id)
    if (open && isSame(open, proof) && !isCodeExpired(open, now)) return toClaim(open, now)
    if (open) await closeClaim(tx, open.id, isCodeExpired(open, now) ? 'expired' : 'withdrawn', now)
    if (input.method === 'review') await requireFewClaims(tx, actor.id, now)
    else await requireFewCodes(tx, actor.id, { businessId: business.id }, now)
    // Checked after closing the previous claim, which may have used the document.
    if (proof.document_id) await requireReadyMedia(tx, actor.id, [proof.document_id], { kinds: ['document'], field: 'documentId' })
    const id = newId()
    await tx
      .insertInto('claims')
      .values({ id, business_id: business.id, user_id: actor.id, status: 'open', is_dispute: isOwned, created_at: now, ...proof })
      .execute()
    if (proof.document_id) await syncMediaUses(tx, 'claim', [id])
    if (proof.method === 'email') await ctx.jobs.enqueue('claims.mail-code', { claimId: id }, { tx })
    // Claiming a business completes onboarding, as the business form does.
    if (!account.has_completed_onboarding) await completeOnboardingAsBusiness(tx, actor.id, business.type, now)
    const claim = await claimRow(tx, id)
    const entry = { actorId: actor.id, action: 'claim.opened', subjectType: 'claim', subjectId: id, businessId: business.id } as const
    await recordAudit(tx, { ...entry, at: now, details: { method: input.method, isDispute: isOwned } })
    return toClaim(claim as ClaimRow, now)
  })
}

const ownedMessage = 'Someone already owns this listing. If it’s yours, ask for a review, and we’ll look into it.'

/**
 * Refuses demo accounts, which are open to everyone. Locks the account, so that its concurrent claims are counted correctly.
 * @throws AppError forbidden
 */
async function requireRealAccount(tx: Tx, userId: string): Promise<{ has_completed_onboarding: boolean }> {
  const account = await tx
    .selectFrom('users')
    .select(['is_demo', 'has_completed_onboarding'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (account.is_demo) throw new AppError('forbidden', { message: 'Demo accounts can’t claim a real business. Create your own account.' })
  return account
}

type Proof = Pick<ClaimRow, 'method' | 'email' | 'phone' | 'code_expires_at' | 'statement' | 'document_id'>

const nothing = { email: null, phone: null, code_expires_at: null, statement: null, document_id: null }

/** @throws AppError invalid_input, conflict */
async function proofOf(tx: Tx, input: NewClaim, now: Date): Promise<Proof> {
  if (input.method === 'review') return { ...nothing, method: 'review', statement: input.statement, document_id: input.documentId }
  return codeProofOf(await listedContacts(tx, input.businessId), input, now)
}

type Contacts = { websites: string[]; phone: string | null }

/** Codes go only to contacts in the register. @throws AppError invalid_input, conflict */
function codeProofOf({ websites, phone }: Contacts, input: NewLicenseProof, now: Date): Proof {
  if (input.method === 'phone') {
    if (phone === null) throw new AppError('conflict', { message: 'The register doesn’t list a phone number. Choose another way.' })
    return { ...nothing, method: 'phone', phone, code_expires_at: new Date(now.getTime() + phoneCodeDays * dayMs) }
  }
  const domains = emailDomainsOf(websites)
  if (domains.length === 0) {
    throw new AppError('conflict', { message: 'The register doesn’t list a website that we can use. Choose another way.' })
  }
  if (!isAtDomain(input.email, domains)) throw invalidField('email', `Enter an address at ${domains.join(' or ')}`)
  return { ...nothing, method: 'email', email: input.email, code_expires_at: mailedCodeEnd(now) }
}

export const mailedCodeEnd = (now: Date): Date => new Date(now.getTime() + mailedCodeMinutes * minuteMs)

const isSame = (open: ClaimRow, proof: Proof): boolean =>
  open.method === proof.method &&
  open.email === proof.email &&
  open.phone === proof.phone &&
  open.statement === proof.statement &&
  open.document_id === proof.document_id

const refusal = { retryAfterSeconds: dayMs / 1000 }
const dayBefore = (now: Date) => new Date(now.getTime() - dayMs)

/** @throws AppError too_many_requests */
async function requireFewClaims(tx: Tx, userId: string, now: Date): Promise<void> {
  if ((await countClaims(tx, { userId }, dayBefore(now))) < maxClaimsPerAccount) return
  throw new AppError('too_many_requests', { ...refusal, message: 'You’ve reached today’s limit for claims. Come back tomorrow.' })
}

/** @throws AppError too_many_requests */
async function requireFewCodes(tx: Tx, userId: string, at: CodesAt, now: Date): Promise<void> {
  await requireFewClaims(tx, userId, now)
  if ((await countClaims(tx, at, dayBefore(now))) < maxCodesPerContact) return
  const message =
    'businessId' in at
      ? 'Codes for this listing were requested too many times today. Ask for a review, or come back tomorrow.'
      : 'Codes for this license were requested too many times today. Add the license as a PDF, or come back tomorrow.'
  throw new AppError('too_many_requests', { ...refusal, message })
}

type Row = NonNullable<Awaited<ReturnType<typeof provableRow>>>

/** A licensee's contacts in the register, never ones entered on this site. */
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
 * the same request; a different one closes the previous proof.
 * @throws AppError not_found, forbidden, invalid_input, conflict if only a document can prove it, too_many_requests
 */
export async function openLicenseProof(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'rateLimiter'>,
  actor: Actor,
  verificationId: string,
  input: NewLicenseProof,
): Promise<Claim> {
  const { emailDomains } = await getLicenseProof(ctx, actor, verificationId)
  // Count only addresses that get an email; otherwise their owners' allowance could be used up.
  if (input.method === 'email' && isAtDomain(input.email, emailDomains)) await limitByRecipient(ctx.rateLimiter, 'claim', input.email)
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { business_id: businessId } = await requireOwnRequest(tx, actor, verificationId)
    const business = await lockBusiness(tx, businessId)
    if (!business) throw notFound('Business not found.')
    await requirePermission(tx, actor, businessId, 'license', { lock: true })
    await requireRealAccount(tx, actor.id)
    const request = await lockVerification(tx, business.id, verificationId)
    if (request.status !== 'pending') throw new AppError('conflict', { message: 'This request is closed. Send a new one.' })
    const row = await provableRow(tx, request)
    if (!row) throw new AppError('conflict', { message: 'A code isn’t enough for this license. Add the license as a PDF.' })
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

/** @throws AppError not_found */
async function requireOwnRequest(db: Db, actor: Pick<Actor, 'id'>, id: string) {
  const request = await verificationRow(db, id)
  if (!request || !roleCan(await roleOf(db, request.business_id, actor.id), 'license')) throw notFound('Request not found.')
  return request
}

/** Code emails per claim. */
export const maxMails = 3

export const isCodeExpired = (claim: Pick<ClaimRow, 'code_expires_at'>, now: Date): boolean =>
  claim.code_expires_at !== null && claim.code_expires_at <= now

export const toClaim = (row: ClaimRow, now: Date): Claim => ({
  id: row.id,
  businessId: row.business_id,
  verificationId: row.verification_id,
  method: row.method,
  status: row.status,
  isDispute: row.is_dispute,
  email: row.email,
  phone: row.phone,
  codeExpiresAt: row.code_expires_at?.toISOString() ?? null,
  isCodeExpired: isCodeExpired(row, now),
  attemptsLeft: codeAttempts - row.attempts,
  canResend: row.status === 'open' && row.method === 'email' && row.code_number < maxMails,
  statement: row.statement,
  closedBecause: row.closed_because,
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
})
