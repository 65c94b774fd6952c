import * as contract from '#contracts/people.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import {
  changeBlockForBusiness,
  changeBusinessBlock,
  changePersonBlock,
  listBlockedBusinesses,
  listBlockedByBusiness,
  listBlockedPeople,
} from './blocks.ts'

export function registerBlocks(api: Api): void {
  route(api, contract.blockPerson, ({ ctx, actor, params }) => changePersonBlock(ctx, actor.id, params.id, true))
  route(api, contract.unblockPerson, ({ ctx, actor, params }) => changePersonBlock(ctx, actor.id, params.id, false))
  route(api, contract.blockBusiness, ({ ctx, actor, params }) => changeBusinessBlock(ctx, actor.id, params.id, true))
  route(api, contract.unblockBusiness, ({ ctx, actor, params }) => changeBusinessBlock(ctx, actor.id, params.id, false))
  route(api, contract.blockForBusiness, ({ ctx, actor, params }) => changeBlockForBusiness(ctx, actor, params.id, params.personId, true))
  route(api, contract.unblockForBusiness, ({ ctx, actor, params }) => changeBlockForBusiness(ctx, actor, params.id, params.personId, false))
  route(api, contract.listBlockedByBusiness, ({ ctx, actor, params, query }) => listBlockedByBusiness(ctx.db, actor, params.id, query))
  route(api, contract.listBlockedPeople, ({ ctx, actor, query }) => listBlockedPeople(ctx.db, actor.id, query))
  route(api, contract.listBlockedBusinesses, ({ ctx, actor, query }) => listBlockedBusinesses(ctx.db, actor.id, query, ctx.clock.now()))
}
