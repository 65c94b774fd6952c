import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { roleMay, roleOf } from '../team/index.ts'
import { lockForLicense } from './request-verification.ts'
import { lockVerification, verificationRow } from './verification.queries.ts'

/** Takes back a request that waits. Again changes nothing. @throws AppError not_found, conflict when it was decided */
export async function withdrawVerification(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const found = await verificationRow(tx, id)
    // To others it does not exist.
    if (!found || !roleMay(await roleOf(tx, found.business_id, actor.id), 'license')) throw notFound('There is no such request.')
    await lockForLicense(tx, actor, found.business_id)
    const verification = await lockVerification(tx, id)
    if (verification.status === 'withdrawn') return
    if (verification.status !== 'pending') throw new AppError('conflict', { message: 'This request was decided already.' })
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
