import { sql } from 'kysely'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type {
  getActivity as activityContract,
  listFeatured as featuredContract,
  listTrending as trendingContract,
} from '#contracts/home.endpoints.ts'
import * as contract from '#contracts/home.endpoints.ts'
import { homeRadiusMiles } from '#contracts/limits.ts'
import { hourMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { type Area, isInArea, loadSummaries, nearArea } from '#server/features/businesses/index.ts'
import { businessNotBlocked, hiddenFollows } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { staleAfterHours, trendRows } from './trends.ts'

export { computeTrends, homeJobs, homeSchedules } from './trends.ts'

export function registerHome(api: Api): void {
  route(api, contract.listTrending, ({ ctx, actor, query }) => listTrending(ctx, actor?.id ?? null, query.near), { replicaFor: 'visitors' })
  route(api, contract.listFeatured, ({ ctx, query }) => listFeatured(ctx.db, query.near, ctx.clock.now()), {
    cacheAs: 'businesses',
    replicaFor: 'anyone',
  })
  route(api, contract.getActivity, ({ ctx, actor }) => getActivity(ctx.db, actor.id), { replicaFor: 'anyone' })
}

const shown = 4

/**
 * With fewer reviews, an average says more about who came first than about the business. The partial index `businesses_featured`
 * repeats this number: change both together.
 */
const enoughReviews = 5

async function listFeatured(db: Db, near: string | undefined, now: Date): Promise<ResponseOf<typeof featuredContract>> {
  return localOrAll(near, async (area) => {
    const rows = await db
      .selectFrom('businesses')
      .select('id')
      // A literal, not a parameter: a generic plan could not use the partial index.
      .where('total_ratings', '>=', sql.lit(enoughReviews))
      .where('moderation', 'is', null)
      .where('closure', 'is', null)
      .$if(area !== null, (query) => query.where(isInArea(area as Area)))
      .orderBy('rating_score', 'desc')
      .orderBy('license_trust', 'desc')
      .orderBy('id', 'desc')
      .limit(shown)
      .execute()
    const ids = rows.map((row) => row.id)
    const businesses = await loadSummaries(db, ids, now)
    return businesses.map((business) => ({ ...business, isNearby: area !== null }))
  })
}

/** With fewer results than this near a place, the list covers all places. */
const enoughLocal = 3

async function localOrAll<Item>(near: string | undefined, list: (area: Area | null) => Promise<Item[]>): Promise<Item[]> {
  const local = near ? await list(nearArea(near, homeRadiusMiles, 'near')) : []
  return local.length >= enoughLocal ? local : list(null)
}

type Activity = ResponseOf<typeof activityContract>

async function getActivity(db: Db, userId: string): Promise<Activity> {
  const { rows } = await sql<Activity>`select
    (select count(*) from post_likes where user_id = ${userId}) as likes,
    (select count(*) from comments where author_id = ${userId} and not is_deleted and moderation is null) as comments,
    (select count(*) from reviews where user_id = ${userId} and moderation is null) as reviews,
    (select count(*) from favorites join businesses on businesses.id = favorites.business_id
      where favorites.user_id = ${userId} and businesses.moderation is null) as favorites,
    ${hiddenFollows(sql`${userId}`)} as "hiddenFollows"`.execute(db)
  return rows[0] as Activity
}

const maxTrending = 3

/** Excludes businesses the viewer has blocked, so the response must not be cached. */
async function listTrending(
  ctx: Pick<Context, 'db' | 'clock'>,
  viewerId: string | null,
  near: string | undefined,
): Promise<ResponseOf<typeof trendingContract>> {
  const now = ctx.clock.now()
  const computedAfter = new Date(now.getTime() - staleAfterHours * hourMs)
  return localOrAll(near, async (area) => {
    const isShown = sql<boolean>`${businessNotBlocked(viewerId, 'business_trends.business_id')} and ${area ? isInArea(area) : sql`true`}`
    const rows = await trendRows(ctx.db, isShown, computedAfter, maxTrending)
    const reasons = new Map(rows.map((row) => [row.business_id, row.reason]))
    const businesses = await loadSummaries(ctx.db, [...reasons.keys()], now)
    return businesses.map((business) => ({ ...business, reason: reasons.get(business.id) ?? '', isNearby: area !== null }))
  })
}
