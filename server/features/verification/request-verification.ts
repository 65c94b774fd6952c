import { dayMs, licenseDay } from '#contracts/time.ts'
import { maxRequestsPerDay, type Verification, type VerificationRequest } from '#contracts/verification.ts'
import type { Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { claimPath, lockBusiness } from '#server/features/businesses/index.ts'
import { requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { requirePermission, roleCan, roleOf, type TeamBusiness } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { licenseNumberKey } from '#server/kernel/fold-text.ts'
import { findState } from '#server/kernel/geo/us-states.ts'
import { newId } from '#server/kernel/ids.ts'
import { bestMatch, type Comparison, longDate, registerObjection } from './match-license.ts'
import { expiryOf, grantVerification, provenBy } from './proof.ts'
import { toVerifications } from './read-verifications.ts'
import {
  holderOf,
  lastEnded,
  lockRegisterRow,
  lockVerification,
  pendingOf,
  type RegisterRow,
  registerRows,
  type VerificationRow,
  verificationRow,
  verifiedOf,
} from './verification.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events' | 'config'>

/**
 * Checks a stated license against the register. A match is verified immediately only if control is already proven. Otherwise it awaits a
 * code or a document; anything but a match requires the document right away. Repeating a request returns the existing one and may add the
 * document.
 * @throws AppError not_found, forbidden, email_unverified, invalid_input, too_many_requests, conflict if another request is pending or the
 * register contradicts it
 */
export async function requestVerification(ctx: Ctx, actor: Actor, idOrSlug: string, input: VerificationRequest): Promise<Verification> {
  const now = ctx.clock.now()
  const numberKey = licenseNumberKey(input.licenseNumber)
  if (numberKey === '') throw invalidField('licenseNumber', 'License number is required')
  const answer = await inTransaction(ctx.db, async (tx) => {
    const business = await lockForLicense(tx, actor, idOrSlug)
    const same = await sameBefore(tx, business.id, numberKey, input)
    if (same && (input.documentId === null || same.document_id !== null)) return one(tx, same)
    await requireConfirmedAddress(tx, ctx, actor)
    if (same) return addDocument(tx, actor, same, input.documentId as string, now)
    const best = bestMatch(input, await registerRows(tx, input.state, numberKey))
    const row = best?.row ?? null
    if (row) await lockRegisterRow(tx, row.id)
    if (row?.business_id !== business.id) requireOwnState(business, input.state)
    requireInForce(best, input, licenseDay(now))
    if (input.expiresOn === null && !row?.expires_on) await requireNewExpiry(tx, business.id, numberKey, input.state)
    const comparison = await withHolders(tx, business.id, numberKey, best ?? { match: 'none', differences: ['number'] }, row)
    const isMatch = comparison.match === 'full' && comparison.differences.length === 0
    const proof = isMatch && row ? await provenBy(tx, business.id, row) : null
    if (isMatch && !proof) comparison.differences.push('proof')
    if (!isMatch && input.documentId === null) throw await documentNeeded(tx, comparison, row)
    if (input.documentId !== null) await requireDocument(tx, actor, input.documentId)
    if (!proof) await requireFewRequests(tx, actor, input.documentId === null, now)
    const verification = await insert(tx, { business, actor, input, numberKey, comparison, row, now })
    if (input.documentId !== null) await syncMediaUses(tx, 'license', [verification.id])
    const entry = proof
      ? await grantVerification(tx, ctx, { verification, ...proof, register: row, actorId: actor.id, now })
      : requested(verification, actor, now)
    const answer = await one(tx, verification)
    await recordAudit(tx, entry)
    return answer
  })
  ctx.cache.invalidate('businesses')
  return answer
}

type LicensedBusiness = TeamBusiness & { id: Locked<'businesses'> }

async function lockForLicense(tx: Tx, actor: Actor, idOrSlug: string): Promise<LicensedBusiness> {
  const { id } = await requirePermission(tx, actor, idOrSlug, 'license')
  const locked = await lockBusiness(tx, id)
  if (!locked) throw notFound('Business not found.')
  const business = await requirePermission(tx, actor, id, 'license', { lock: true })
  if (!business.is_demo) return { ...business, id: locked.id }
  throw new AppError('forbidden', { message: 'This is a fictional demo business. It has no license to verify.' })
}

async function one(tx: Tx, { id }: { id: string }): Promise<Verification> {
  const row = await verificationRow(tx, id)
  const [verification] = row ? await toVerifications(tx, [row]) : []
  if (!verification) throw new Error('a verification is missing right after it was created')
  return verification
}

/**
 * A license is valid only in its state, and a verified business can't move to another: see `requireLicensedState`. A business without a
 * state may have a license from any.
 */
function requireOwnState({ state: own }: TeamBusiness, state: string): void {
  if (own === null || own === state) return
  const [here, there] = [own, state].map((code) => findState(code)?.name ?? code)
  throw invalidField('state', `This business’s page says it’s in ${here}, but the license is from ${there}. Correct one of them.`)
}

/** Finds the pending or verified request with the same license details. @throws AppError conflict if a different one is pending */
async function sameBefore(tx: Tx, businessId: string, numberKey: string, input: VerificationRequest): Promise<VerificationRow | null> {
  const isSame = (row: VerificationRow) =>
    row.license_number_key === numberKey &&
    row.state === input.state &&
    row.license_name === input.licenseName &&
    row.business_type === input.businessType &&
    row.stated_expires_on === input.expiresOn &&
    (input.documentId === null || row.document_id === input.documentId || (row.status === 'pending' && row.document_id === null))
  const pending = await pendingOf(tx, businessId)
  if (pending && isSame(pending)) return pending
  if (pending) {
    throw new AppError('conflict', { message: 'A request for this business is still waiting. Withdraw it before you send another.' })
  }
  const verified = await verifiedOf(tx, businessId)
  return verified && isSame(verified) ? verified : null
}

/** @throws AppError conflict if the license isn't in force according to the register, invalid_input for a past day */
function requireInForce(best: (Comparison & { row: RegisterRow }) | null, input: VerificationRequest, today: string): void {
  if (input.expiresOn !== null && input.expiresOn < today) throw invalidField('expiresOn', 'This day has passed')
  const row = best && best.match !== 'none' ? best.row : null
  const objection = row && registerObjection(row)
  if (objection) throw new AppError('conflict', { message: objection })
  const { expires_on, expiry_source } = expiryOf(row, input.expiresOn)
  if (expires_on !== null && expires_on < today && expiry_source === 'register') {
    throw new AppError('conflict', { message: `The register says that this license expired on ${longDate(expires_on)}.` })
  }
}

/** A license that expired on a date the business stated needs a new date. */
async function requireNewExpiry(tx: Tx, businessId: string, numberKey: string, state: string): Promise<void> {
  const last = await lastEnded(tx, businessId, state, numberKey)
  if (last?.status !== 'expired' || last.expires_on === null || last.expiry_source !== 'business') return
  throw invalidField('expiresOn', `You said that this license expired on ${longDate(last.expires_on)}. Enter the new expiration date.`)
}

/** Adds differences the register can't settle: another business is verified with this license, or it belongs to another listing. */
async function withHolders(
  tx: Tx,
  businessId: string,
  numberKey: string,
  { match, differences }: Comparison,
  row: RegisterRow | null,
): Promise<Comparison> {
  const holder = row && (await holderOf(tx, row.state, numberKey))
  const added: Comparison['differences'] = []
  if (row?.business_id && row.business_id !== businessId) added.push('listing')
  if (holder && holder.business_id !== businessId) added.push('holder')
  return { match, differences: [...differences, ...added] }
}

const reasons: Record<Comparison['differences'][number], string> = {
  number: 'Our copy of the register has no license with this number in this state.',
  name: 'The register has a different name for this license.',
  type: 'The register has a different type of business for this license.',
  listing: 'The directory lists this license under a different business. If it’s yours, claim it.',
  holder: 'Another business is verified with this license.',
  proof: 'Your license matches the register. Prove that you control it.',
}

async function documentNeeded(tx: Tx, { differences }: Comparison, row: RegisterRow | null): Promise<AppError> {
  const message = `${differences.map((each) => reasons[each]).join(' ')} Add the license as a PDF. Two members of our team will review it.`
  const listing = differences.includes('listing') && row?.business_id ? await shownListing(tx, row.business_id) : undefined
  const links = listing && [{ title: `Claim ${listing.name}`, path: claimPath(listing.slug) }]
  return new AppError('invalid_input', { message, fields: { documentId: message }, ...(links && { links }) })
}

const shownListing = (tx: Tx, id: string) =>
  tx.selectFrom('businesses').select(['slug', 'name']).where('id', '=', id).where('moderation', 'is', null).executeTakeFirst()

async function requireConfirmedAddress(tx: Tx, { config }: Pick<Context, 'config'>, actor: Actor): Promise<void> {
  // The lock serializes an account's requests, so that they are counted correctly.
  const account = await tx
    .selectFrom('users')
    .select('email_verified')
    .where('id', '=', actor.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (account.email_verified || config.emailVerification !== 'required') return
  throw new AppError('email_unverified', { message: 'Confirm your email address first, with the link we emailed you.' })
}

/**
 * Limits requests without proof: per account, a few a day and one awaiting a code at a time. Those of businesses that the person no longer
 * works for don't count as waiting, because they can neither prove nor withdraw them.
 */
async function requireFewRequests(tx: Tx, actor: Actor, waitsForCode: boolean, now: Date): Promise<void> {
  const since = new Date(now.getTime() - dayMs)
  const { recent, waiting } = await tx
    .selectFrom('license_verifications')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('created_at', '>', since).as('recent'),
      eb.fn
        .countAll<number>()
        .filterWhere((e) =>
          e.and([
            e('status', '=', 'pending'),
            e('document_id', 'is', null),
            e.exists(
              e
                .selectFrom('business_members')
                .select('user_id')
                .whereRef('business_members.business_id', '=', 'license_verifications.business_id')
                .whereRef('business_members.user_id', '=', 'license_verifications.requested_by'),
            ),
          ]),
        )
        .as('waiting'),
    ])
    .where('requested_by', '=', actor.id)
    .executeTakeFirstOrThrow()
  if (waitsForCode && waiting > 0) {
    const message =
      'Another of your licenses is still waiting for proof. Prove it or withdraw that request first, or add this license as a PDF.'
    throw new AppError('conflict', { message, fields: { documentId: message } })
  }
  if (recent < maxRequestsPerDay) return
  throw new AppError('too_many_requests', {
    retryAfterSeconds: dayMs / 1000,
    message: `You can send ${maxRequestsPerDay} requests a day. Come back tomorrow.`,
  })
}

const requireDocument = (tx: Tx, actor: Actor, documentId: string) =>
  requireReadyMedia(tx, actor.id, [documentId], { kinds: ['document'], field: 'documentId' })

/** Adds a document to a pending request, which then also goes to two moderators. */
async function addDocument(tx: Tx, actor: Actor, request: VerificationRow, documentId: string, now: Date): Promise<Verification> {
  await requireDocument(tx, actor, documentId)
  await tx.updateTable('license_verifications').set({ document_id: documentId, updated_at: now }).where('id', '=', request.id).execute()
  await syncMediaUses(tx, 'license', [request.id])
  const answer = await one(tx, request)
  await recordAudit(tx, { ...requested(request, actor, now), action: 'license.documented', details: {} })
  return answer
}

type New = {
  business: LicensedBusiness
  actor: Actor
  input: VerificationRequest
  numberKey: string
  comparison: Comparison
  row: RegisterRow | null
  now: Date
}

async function insert(tx: Tx, { business, actor, input, numberKey, comparison, row, now }: New): Promise<VerificationRow> {
  return tx
    .insertInto('license_verifications')
    .values({
      id: newId(),
      business_id: business.id,
      license_number: input.licenseNumber,
      license_number_key: numberKey,
      state: input.state,
      license_name: input.licenseName,
      business_type: input.businessType,
      stated_expires_on: input.expiresOn,
      document_id: input.documentId,
      license_id: row?.id ?? null,
      match: comparison.match,
      differences: comparison.differences,
      is_dispute: comparison.differences.some((each) => each === 'holder' || each === 'listing'),
      status: 'pending',
      requested_by: actor.id,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const requested = (verification: VerificationRow, actor: Actor, now: Date): AuditEntry => ({
  at: now,
  actorId: actor.id,
  action: 'license.requested',
  subjectType: 'license_verification',
  subjectId: verification.id,
  businessId: verification.business_id,
  details: {
    number: verification.license_number_key,
    state: verification.state,
    match: verification.match,
    differences: verification.differences.join(' '),
  },
})

/** Withdraws a pending request. Idempotent. @throws AppError not_found, conflict if it was decided */
export async function withdrawVerification(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const found = await verificationRow(tx, id)
    // Don't reveal the request to others.
    if (!found || !roleCan(await roleOf(tx, found.business_id, actor.id), 'license')) throw notFound('Request not found.')
    const business = await lockForLicense(tx, actor, found.business_id)
    const verification = await lockVerification(tx, business.id, id)
    if (verification.status === 'withdrawn') return
    if (verification.status !== 'pending') throw new AppError('conflict', { message: 'This request was already decided.' })
    await tx
      .updateTable('license_verifications')
      .set({ status: 'withdrawn', ended_at: now, updated_at: now })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, {
      at: now,
      actorId: actor.id,
      action: 'license.withdrawn',
      subjectType: 'license_verification',
      subjectId: id,
      businessId: verification.business_id,
    })
  })
}
