import * as contract from '#contracts/people.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listFollowedBusinesses, listFollowedPeople, listFollowers } from './list-follows.ts'
import { changeBusinessFollow, changePersonFollow } from './write-follows.ts'

export { businessBlock } from './follows.queries.ts'
export { addImpliedFollow, refuseBlockedBusiness, removeBusinessFollow, removeImpliedFollow, removePersonFollow } from './write-follows.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'person.followed': { personId: string; followerId: string }
  }
}

export function registerFollows(api: Api): void {
  route(api, contract.followPerson, ({ ctx, actor, params }) => changePersonFollow(ctx, actor.id, params.id, true))
  route(api, contract.unfollowPerson, ({ ctx, actor, params }) => changePersonFollow(ctx, actor.id, params.id, false))
  route(api, contract.followBusiness, ({ ctx, actor, params }) => changeBusinessFollow(ctx, actor.id, params.id, true))
  route(api, contract.unfollowBusiness, ({ ctx, actor, params }) => changeBusinessFollow(ctx, actor.id, params.id, false))
  route(api, contract.listFollowers, ({ ctx, actor, params, query }) => listFollowers(ctx.db, actor.id, params.id, query))
  route(api, contract.listFollowedPeople, ({ ctx, actor, params, query }) => listFollowedPeople(ctx.db, actor.id, params.id, query))
  route(api, contract.listFollowedBusinesses, ({ ctx, actor, params, query }) =>
    listFollowedBusinesses(ctx.db, actor.id, params.id, query, ctx.clock.now()),
  )
}
