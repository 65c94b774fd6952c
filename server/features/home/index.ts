import * as contract from '../../../contracts/home.ts'
import { type Api, route } from '../../kernel/route.ts'
import { getActivity } from './get-activity.ts'
import { listFeatured } from './list-featured.ts'
import { listTrending } from './list-trending.ts'

export { computeTrends, homeJobs, homeSchedules } from './compute-trends.ts'

export function registerHome(api: Api): void {
  route(api, contract.listTrending, ({ ctx, actor }) => listTrending(ctx, actor?.id ?? null))
  route(api, contract.listFeatured, ({ ctx }) => listFeatured(ctx.db, ctx.clock.now()), { cacheAs: 'businesses' })
  route(api, contract.getActivity, ({ ctx, actor }) => getActivity(ctx.db, actor.id))
}
