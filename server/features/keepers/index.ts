import * as contract from '#contracts/keepers.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { getKeeperRanking } from './rank-hunt.ts'

export { rankGenotypes } from './rank-hunt.ts'

export function registerKeepers(api: Api): void {
  route(api, contract.getKeeperRanking, ({ ctx, actor, params }) => getKeeperRanking(ctx.db, actor, params.id))
}
