import type { Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { requirePermission, type TeamBusiness } from './require-permission.ts'
import type { Permission } from './roles.ts'

/**
 * Holds a team for a change until the transaction ends: of two changes at once, the second sees what the first one left.
 * @throws AppError not_found, forbidden
 */
export async function lockTeam(tx: Tx, actor: Pick<Actor, 'id'>, idOrSlug: string, permission: Permission): Promise<TeamBusiness> {
  const { id } = await requirePermission(tx, actor, idOrSlug, permission)
  await lockBusiness(tx, id)
  // Read again: a removal or a transfer may have come first.
  return requirePermission(tx, actor, id, permission)
}

export const lockBusiness = (tx: Tx, id: string) =>
  tx.selectFrom('businesses').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The accounts of the demo are open to everybody: nobody is mailed or joins on their word. @throws AppError forbidden */
export function refuseDemo(business: Pick<TeamBusiness, 'is_demo'>): void {
  if (!business.is_demo) return
  throw new AppError('forbidden', { message: 'This is a made-up business of the demo: its team stays as it is.' })
}
