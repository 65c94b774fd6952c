import * as contract from '../../../contracts/favorites.ts'
import { type Api, route } from '../../kernel/route.ts'
import { changeFavorite } from './change-favorite.ts'
import { listFavorites } from './list-favorites.ts'

export function registerFavorites(api: Api): void {
  route(api, contract.listFavorites, ({ ctx, actor, query }) => listFavorites(ctx.db, actor.id, query, ctx.clock.now()))
  route(api, contract.addFavorite, ({ ctx, actor, body }) => changeFavorite(ctx, actor.id, body.businessId, true))
  route(api, contract.removeFavorite, ({ ctx, actor, params }) => changeFavorite(ctx, actor.id, params.businessId, false))
}
