import * as contract from '../../../contracts/reviews.ts'
import { type Api, route } from '../../kernel/route.ts'
import { listRatings } from './list-ratings.ts'

export function registerReviews(api: Api): void {
  route(api, contract.listRatings, ({ ctx, params, query }) => listRatings(ctx.db, params.id, query))
}
