import { sql } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { changeMenu } from './menu-lock.ts'

/** What is not there is no error. @throws AppError not_found, forbidden, age_restricted */
export function removeMenuItems(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  ids: readonly string[],
): Promise<undefined> {
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    await tx.deleteFrom('products').where('business_id', '=', business.id).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
    return undefined
  })
}
