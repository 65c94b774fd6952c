import { sql } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { changeMenu } from './menu-lock.ts'

/**
 * Says that prices and availability are right today: of the items named, or of all. It changes nothing that somebody else could
 * have read differently, so the version stays.
 * @throws AppError not_found, forbidden, age_restricted
 */
export function confirmMenu(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  ids: readonly string[] | undefined,
): Promise<{ confirmedCount: number; confirmedAt: string }> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    const { numUpdatedRows } = await tx
      .updateTable('products')
      .set({ confirmed_at: now })
      .where('business_id', '=', business.id)
      .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::uuid[])`))
      .executeTakeFirstOrThrow()
    return { confirmedCount: Number(numUpdatedRows), confirmedAt: now.toISOString() }
  })
}
