import type { Favorite } from '#contracts/favorites.endpoints.ts'
import * as contract from '#contracts/favorites.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { loadSummaries } from '#server/features/businesses/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'

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
  const ids = items.map((row) => row.business_id)
  const businesses = new Map((await loadSummaries(db, ids, now)).map((business) => [business.id, business]))
  return {
    items: items.flatMap((row) => {
      const business = businesses.get(row.business_id)
      return business ? [{ id: row.id, business, createdAt: row.created_at.toISOString() }] : []
    }),
    nextCursor,
  }
}

/** Prevents the business from being deleted until the transaction ends. */
const lockBusiness = (tx: Tx, businessId: string) =>
  tx.selectFrom('businesses').select('id').where('id', '=', businessId).where('moderation', 'is', null).forKeyShare().executeTakeFirst()

/** Idempotent. */
const addFavorite = (tx: Tx, favorite: { id: string; userId: string; businessId: string; now: Date }) =>
  tx
    .insertInto('favorites')
    .values({ id: favorite.id, user_id: favorite.userId, business_id: favorite.businessId, created_at: favorite.now })
    .onConflict((conflict) => conflict.columns(['user_id', 'business_id']).doNothing())
    .execute()

const removeFavorite = (tx: Tx, userId: string, businessId: string) =>
  tx.deleteFrom('favorites').where('user_id', '=', userId).where('business_id', '=', businessId).execute()

const favoriteRows = (db: Db, userId: string, after: readonly [createdAt: string, id: string] | null, limit: number) =>
  db
    .selectFrom('favorites')
    .select(['id', 'business_id', 'created_at'])
    .where('user_id', '=', userId)
    .$call((rows) => newestAfter(rows, 'created_at', 'id', after))
    .limit(limit)
    .execute()
