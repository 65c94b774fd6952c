import type { Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { lockSubscriberCount } from '../businesses/index.ts'
import { requirePermission, type TeamBusiness } from '../team/index.ts'

/**
 * Holds a business for a change by somebody who may bill for it, until the transaction ends: of two changes at once, the second sees
 * what the first one left, and a removal from the team that came first counts. @throws AppError not_found, forbidden
 */
export async function holdBusiness(tx: Tx, actor: Actor, idOrSlug: string): Promise<TeamBusiness> {
  const { id } = await requirePermission(tx, actor, idOrSlug, 'billing')
  await lockSubscriberCount(tx, id)
  return requirePermission(tx, actor, id, 'billing', { lock: true })
}
