import * as contract from '#contracts/reviews.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { getRatingSummary, listPersonReviews, listRatings } from './read-reviews.ts'
import { changeHelpful, changeReply, deleteRating, saveRating } from './write-reviews.ts'

export { isReviewShown, type NotifiedReview, notifiedReviews, publicReviews, unansweredReviews } from './reviews.queries.ts'
export { reviewJobs } from './write-reviews.ts'

export function registerReviews(api: Api): void {
  const read = { replicaFor: 'visitors' } as const
  route(api, contract.listRatings, ({ ctx, actor, params, query }) => listRatings(ctx.db, actor, params.id, query), read)
  route(api, contract.getRatingSummary, ({ ctx, actor, params }) => getRatingSummary(ctx.db, actor, params.id), read)
  route(api, contract.listPersonReviews, ({ ctx, actor, params, query }) => listPersonReviews(ctx.db, actor, params.id, query))
  route(api, contract.saveRating, ({ ctx, actor, params, body }) => saveRating(ctx, actor, params.id, body))
  route(api, contract.deleteRating, ({ ctx, actor, params }) => deleteRating(ctx, actor, params.id))
  route(api, contract.markHelpful, ({ ctx, actor, params }) => changeHelpful(ctx, actor.id, params.id, true))
  route(api, contract.unmarkHelpful, ({ ctx, actor, params }) => changeHelpful(ctx, actor.id, params.id, false))
  route(api, contract.replyToRating, ({ ctx, actor, params, body }) => changeReply(ctx, actor, params.id, body))
  route(api, contract.deleteReply, ({ ctx, actor, params, query }) => changeReply(ctx, actor, params.id, { content: null, ...query }))
}
