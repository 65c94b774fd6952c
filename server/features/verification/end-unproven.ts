import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { type AuditEntry, recordAudit } from '../audit/index.ts'
import { lockBusiness } from '../businesses/index.ts'
import { unlinkLicense } from '../directory/index.ts'
import { endVerification } from './end-verification.ts'
import { provenBy } from './proof.ts'
import { lockVerification, registerRow, type VerificationRow } from './verification.queries.ts'

const reason = 'Your license needs one more step: prove you control it.'

/**
 * A match with the register was once enough to verify a license. At each start, those that are verified by nothing else lose their
 * badge, and their owners are told; those whose listing was claimed by a code keep it. Running it again changes nothing.
 */
export async function endUnprovenVerifications(ctx: Pick<Context, 'db' | 'clock' | 'cache' | 'events' | 'log'>): Promise<void> {
  const counts = { ended: 0, proven: 0 }
  for (const { id, business_id } of await matchedOnly(ctx.db)) {
    const outcome = await inTransaction(ctx.db, async (tx) => {
      await lockBusiness(tx, business_id)
      const verification = await lockVerification(tx, id)
      if (verification.status !== 'verified' || verification.basis !== 'register') return null
      const { isProven, entry } = await settle(tx, ctx, verification)
      await recordAudit(tx, entry)
      return isProven ? 'proven' : 'ended'
    })
    if (outcome) counts[outcome]++
  }
  if (counts.ended + counts.proven === 0) return
  ctx.cache.invalidate('businesses')
  ctx.log.info(counts, 'licenses that were verified by a match alone were settled')
}

async function settle(
  tx: Tx,
  ctx: Pick<Context, 'clock' | 'events'>,
  verification: VerificationRow,
): Promise<{ isProven: boolean; entry: AuditEntry }> {
  const now = ctx.clock.now()
  const { id, business_id: businessId, license_id: licenseId } = verification
  const row = licenseId === null ? undefined : await registerRow(tx, licenseId)
  const proof = row && (await provenBy(tx, businessId, row))
  if (!proof) {
    // Before the standing is worked out: the page must not go on showing the license as the business's own.
    if (row?.business_id === businessId) await unlinkLicense(tx, row.id)
    return {
      isProven: false,
      entry: await endVerification(tx, ctx, { verification, status: 'unproven', reason, actorId: null, now }),
    }
  }
  await tx.updateTable('license_verifications').set({ basis: proof.basis, updated_at: now }).where('id', '=', id).execute()
  return {
    isProven: true,
    entry: {
      at: now,
      actorId: null,
      action: 'license.proven',
      subjectType: 'license_verification',
      subjectId: id,
      businessId,
      details: { basis: proof.basis },
    },
  }
}

const matchedOnly = (db: Db) =>
  db
    .selectFrom('license_verifications')
    .select(['id', 'business_id'])
    .where('status', '=', 'verified')
    .where('basis', '=', 'register')
    .orderBy('id')
    .execute()
