import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { requireHunt } from './hunt-access.ts'
import { removeHunt } from './hunts.queries.ts'

/** @throws AppError not_found, forbidden */
export async function deleteHunt(ctx: Pick<Context, 'db'>, actor: Actor, huntId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    await removeHunt(tx, huntId)
  })
}
