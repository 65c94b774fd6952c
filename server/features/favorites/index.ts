import * as contract from '#contracts/favorites.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { changeFavorite, listFavorites } from './favorites.ts'

export function registerFavorites(api: Api): void {
  route(api, contract.listFavorites, ({ ctx, actor, query }) => listFavorites(ctx.db, actor.id, query, ctx.clock.now()))
  route(api, contract.addFavorite, ({ ctx, actor, body }) => changeFavorite(ctx, actor.id, body.businessId, true))
  route(api, contract.removeFavorite, ({ ctx, actor, params }) => changeFavorite(ctx, actor.id, params.businessId, false))
}
