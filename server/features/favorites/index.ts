import * as contract from '#contracts/favorites.endpoints.ts'
import type { Favorite } from '#contracts/favorites.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { loadSummaries } from '#server/features/businesses/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { addFavorite, favoriteRows, lockBusiness, removeFavorite } from './favorites.queries.ts'

export function registerFavorites(api: Api): void {
  route(api, contract.listFavorites, ({ ctx, actor, query }) => listFavorites(ctx.db, actor.id, query, ctx.clock.now()))
  route(api, contract.addFavorite, ({ ctx, actor, body }) => changeFavorite(ctx, actor.id, body.businessId, true))
  route(api, contract.removeFavorite, ({ ctx, actor, params }) => changeFavorite(ctx, actor.id, params.businessId, false))
}

type Ctx = Pick<Context, 'db' | 'clock'>

/** Adds or removes a favorite. Idempotent. @throws AppError not_found */
async function changeFavorite(ctx: Ctx, userId: string, businessId: string, isFavorited: boolean) {
  const favorite = { id: newId(), userId, businessId, now: ctx.clock.now() }
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockBusiness(tx, businessId))) throw notFound('Business not found.')
    if (isFavorited) await addFavorite(tx, favorite)
    else await removeFavorite(tx, userId, businessId)
  })
  return { businessId, isFavorited }
}

async function listFavorites(
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
