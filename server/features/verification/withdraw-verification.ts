import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { roleMay, roleOf } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { lockForLicense } from './request-verification.ts'
import { lockVerification, verificationRow } from './verification.queries.ts'

/** Withdraws a pending request. Idempotent. @throws AppError not_found, conflict if it was decided */
export async function withdrawVerification(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const found = await verificationRow(tx, id)
    // Hide its existence from others.
    if (!found || !roleMay(await roleOf(tx, found.business_id, actor.id), 'license')) throw notFound('Request not found.')
    await lockForLicense(tx, actor, found.business_id)
    const verification = await lockVerification(tx, id)
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
