import type { ResponseOf } from '#contracts/endpoint.ts'
import type { listTrending as contract } from '#contracts/home.ts'
import { loadSummaries } from '#server/features/businesses/index.ts'
import { businessNotBlocked } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { trendRows } from './trends.queries.ts'
import { staleAfterHours } from './trends.ts'

const shown = 3

/**
 * The top three by recent engagement, or fewer if fewer had any. Excludes businesses the viewer has blocked, so the response
 * must not be cached.
 */
export async function listTrending(ctx: Pick<Context, 'db' | 'clock'>, viewerId: string | null): Promise<ResponseOf<typeof contract>> {
  const now = ctx.clock.now()
  const computedAfter = new Date(now.getTime() - staleAfterHours * 3_600_000)
  const rows = await trendRows(ctx.db, businessNotBlocked(viewerId, 'business_trends.business_id'), computedAfter, shown)
  const reasons = new Map(rows.map((row) => [row.business_id, row.reason]))
  const businesses = await loadSummaries(ctx.db, [...reasons.keys()], now)
  return businesses.map((business) => ({ ...business, reason: reasons.get(business.id) ?? '' }))
}
