import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { addFavorite, lockBusiness, removeFavorite } from './favorites.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Makes a business a favorite or ends that; where it is so already, nothing changes. @throws AppError not_found */
export async function changeFavorite(ctx: Ctx, userId: string, businessId: string, isFavorited: boolean) {
  const favorite = { id: newId(), userId, businessId, now: ctx.clock.now() }
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockBusiness(tx, businessId))) throw notFound('Business not found.')
    if (isFavorited) await addFavorite(tx, favorite)
    else await removeFavorite(tx, userId, businessId)
  })
  return { businessId, isFavorited }
}
