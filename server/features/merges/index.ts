import * as contract from '#contracts/merges.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { mergeBusinesses, previewMerge } from './merge-businesses.ts'

export { mergeBusinesses } from './merge-businesses.ts'

export function registerMerges(api: Api): void {
  route(api, contract.previewMerge, ({ ctx, actor, params, query }) => previewMerge(ctx, actor, params.id, query.into))
  route(api, contract.mergeBusiness, ({ ctx, actor, params, body }) => mergeBusinesses(ctx, actor, params.id, body.into))
}
