import * as contract from '#contracts/billing.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { changeSubscription } from './change-subscription.ts'

export { beginSubscription, endSubscription } from './change-subscription.ts'
export { notifiedSubscriptions } from './subscriptions.queries.ts'

export function registerSubscriptions(api: Api): void {
  route(api, contract.subscribe, ({ ctx, actor, body }) => changeSubscription(ctx, actor.id, body.businessId, true))
  route(api, contract.unsubscribe, ({ ctx, actor, params }) => changeSubscription(ctx, actor.id, params.businessId, false))
}
