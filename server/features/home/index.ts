import * as contract from '#contracts/home.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { getActivity, listFeatured, listTrending } from './read-home.ts'

export { computeTrends, homeJobs, homeSchedules } from './home.jobs.ts'

export function registerHome(api: Api): void {
  route(api, contract.listTrending, ({ ctx, actor }) => listTrending(ctx, actor?.id ?? null))
  route(api, contract.listFeatured, ({ ctx }) => listFeatured(ctx.db, ctx.clock.now()), { cacheAs: 'businesses' })
  route(api, contract.getActivity, ({ ctx, actor }) => getActivity(ctx.db, actor.id))
}
