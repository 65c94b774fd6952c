import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Favorite } from '#contracts/favorites.endpoints.ts'
import * as contract from '#contracts/favorites.endpoints.ts'
import { compileShared, type Slots } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { loadSummaries, lockAgainstDeletion } from '#server/features/businesses/index.ts'
import { maxAgeMs } from '#server/kernel/answer-cache.ts'
import type { Context } from '#server/kernel/context.ts'
import { lastUuid, newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { readLastWrite } from '#server/kernel/replica-reads.ts'
import { type Api, route } from '#server/kernel/route.ts'

export function registerFavorites(api: Api): void {
  route(
    api,
    contract.listFavorites,
    ({ ctx, actor, query, request }) => listFavorites(ctx, actor.id, query, readLastWrite(ctx, request).isRecent),
    {
      replicaFor: 'anyone',
      sharesPartsAs: 'businesses',
      sharedPart: { fields: ['business'], sourceOf: ({ business }) => business },
    },
  )
  route(api, contract.addFavorite, ({ ctx, actor, body }) => changeFavorite(ctx, actor.id, body.businessId, true))
  route(api, contract.removeFavorite, ({ ctx, actor, params }) => changeFavorite(ctx, actor.id, params.businessId, false))
}

type Ctx = Pick<Context, 'db' | 'clock'>

/** Idempotent. @throws AppError not_found */
async function changeFavorite(ctx: Ctx, userId: string, businessId: string, isFavorited: boolean) {
  const favorite = { id: newId(), userId, businessId, now: ctx.clock.now() }
  await inTransaction(ctx.db, async (tx) => {
    // People can remove a favorite even if moderators have hidden the business.
    await lockAgainstDeletion(tx, businessId, { mayBeHidden: !isFavorited })
    if (isFavorited) await addFavorite(tx, favorite)
    else await removeFavorite(tx, userId, businessId)
  })
  return { businessId, isFavorited }
}

async function listFavorites(
  ctx: Pick<Context, 'db' | 'clock' | 'cache'>,
  userId: string,
  page: { limit: number; cursor?: string | undefined },
  isFresh: boolean,
): Promise<Page<Favorite>> {
  // Taken before any read, so that a later invalidation keeps the rows read here out of the cache.
  const generation = ctx.cache.generation('businesses')
  const rows = await favoriteRows(ctx.db, userId, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  const ids = items.map((row) => row.business_id)
  const businesses = await sharedSummaries(ctx, generation, ids, isFresh)
  return {
    items: items.flatMap((row) => {
      const business = businesses.get(row.business_id)
      return business ? [{ id: row.id, business, createdAt: row.created_at.toISOString() }] : []
    }),
    nextCursor,
  }
}

/**
 * Bytes of a summary and its JSON. Characters take up to two bytes in a string and three in JSON; everything else is about the same size.
 */
const bytesOf = ({ description }: BusinessSummary) => 3_000 + 5 * (description?.length ?? 0)

const cachedSummaries = new LRUCache<string, BusinessSummary>({ maxSize: 16 * 1024 * 1024, sizeCalculation: bytesOf, ttl: maxAgeMs })

/** Returns summaries no older than those in public lists (decision 002). Doesn't check whether the businesses are shown. */
async function sharedSummaries(
  { db, clock }: Ctx,
  generation: number,
  ids: readonly string[],
  isFresh: boolean,
): Promise<Map<string, BusinessSummary>> {
  const keyOf = (id: string) => `${generation} ${id}`
  const found = new Map(
    ids.flatMap((id): [string, BusinessSummary][] => {
      const business = isFresh ? undefined : cachedSummaries.get(keyOf(id))
      return business ? [[id, business]] : []
    }),
  )
  const missing = ids.filter((id) => !found.has(id))
  for (const business of await loadSummaries(db, missing, clock.now())) {
    found.set(business.id, business)
    cachedSummaries.set(keyOf(business.id), business)
  }
  return found
}

/** Idempotent. */
const addFavorite = (tx: Tx, favorite: { id: string; userId: string; businessId: string; now: Date }) =>
  tx
    .insertInto('favorites')
    .values({ id: favorite.id, user_id: favorite.userId, business_id: favorite.businessId, created_at: favorite.now })
    .onConflict((conflict) => conflict.columns(['user_id', 'business_id']).doNothing())
    .execute()

const removeFavorite = (tx: Tx, userId: string, businessId: string) =>
  tx.deleteFrom('favorites').where('user_id', '=', userId).where('business_id', '=', businessId).execute()

/** Sorts before every favorite, so that the first page uses the same query as the others. */
const beginning = ['infinity', lastUuid] as const

const favoriteRows = (db: Db, userId: string, after: readonly [createdAt: string, id: string] | null, limit: number) => {
  const [beforeTime, beforeId] = after ?? beginning
  return readFavoriteRows(db, { userId, beforeTime, beforeId, limit })
}

type PageParams = { userId: string; beforeTime: string; beforeId: string; limit: number }

const readFavoriteRows = compileShared(
  { userId: 'uuid', beforeTime: 'timestamptz', beforeId: 'uuid', limit: 'integer' },
  (db, { userId, beforeTime, beforeId, limit }: Slots<PageParams>) =>
    db
      .selectFrom('favorites')
      .select(['id', 'business_id', 'created_at'])
      .where('user_id', '=', userId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('businesses')
            .select('businesses.id')
            .whereRef('businesses.id', '=', 'favorites.business_id')
            .where('businesses.moderation', 'is', null),
        ),
      )
      .where(sql<boolean>`(created_at, id) < (${beforeTime}::timestamptz, ${beforeId}::uuid)`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit),
  sql`answer.created_at desc, answer.id desc`,
)
