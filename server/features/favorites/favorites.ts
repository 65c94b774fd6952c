import type { Favorite } from '#contracts/favorites.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { loadSummaries } from '#server/features/businesses/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { addFavorite, favoriteRows, lockBusiness, removeFavorite } from './favorites.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Adds or removes a favorite. Idempotent. @throws AppError not_found */
export async function changeFavorite(ctx: Ctx, userId: string, businessId: string, isFavorited: boolean) {
  const favorite = { id: newId(), userId, businessId, now: ctx.clock.now() }
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockBusiness(tx, businessId))) throw notFound('Business not found.')
    if (isFavorited) await addFavorite(tx, favorite)
    else await removeFavorite(tx, userId, businessId)
  })
  return { businessId, isFavorited }
}

export async function listFavorites(
  db: Db,
  userId: string,
  page: { limit: number; cursor?: string | undefined },
  now: Date,
): Promise<Page<Favorite>> {
  const rows = await favoriteRows(db, userId, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  const businesses = new Map(
    (
      await loadSummaries(
        db,
        items.map((row) => row.business_id),
        now,
      )
    ).map((business) => [business.id, business]),
  )
  return {
    items: items.flatMap((row) => {
      const business = businesses.get(row.business_id)
      return business ? [{ id: row.id, business, createdAt: row.created_at.toISOString() }] : []
    }),
    nextCursor,
  }
}
