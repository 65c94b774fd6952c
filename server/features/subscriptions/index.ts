import * as contract from '../../../contracts/subscriptions.ts'
import { type Api, route } from '../../kernel/route.ts'
import { subscribe, unsubscribe } from './subscribe.ts'

export { isSubscribed } from './subscriptions.queries.ts'

export function registerSubscriptions(api: Api): void {
  route(api, contract.subscribe, ({ ctx, actor, body }) => subscribe(ctx, actor.id, body.businessId))
  route(api, contract.unsubscribe, ({ ctx, actor, params }) => unsubscribe(ctx, actor.id, params.businessId))
}
