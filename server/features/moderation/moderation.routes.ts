import * as contract from '../../../contracts/moderation.ts'
import * as log from '../../../contracts/moderation-log.ts'
import * as standing from '../../../contracts/standing.ts'
import { type Api, route } from '../../kernel/route.ts'
import { decideAppeal, listAppeals, makeAppeal } from './appeals.ts'
import { decideCase } from './decide-case.ts'
import { assignCase, getCase } from './get-case.ts'
import { listHeldThings } from './held-things.ts'
import { listCases } from './list-cases.ts'
import { getLoad } from './load.ts'
import { listOwnDeeds, ownStanding } from './own-standing.ts'
import type { ModerationParts } from './ports.ts'
import { countLog, listLog } from './public-log.ts'
import { undoDeed } from './undo-deed.ts'

export function registerModeration(api: Api, parts: ModerationParts): void {
  route(api, contract.listCases, ({ ctx, actor, query }) => listCases(ctx, parts, actor, query))
  route(api, contract.getCase, ({ ctx, actor, params }) => getCase(ctx, parts, actor, params.id))
  route(api, contract.assignCase, ({ ctx, actor, params, body }) => assignCase(ctx, parts, actor, params.id, body.isMine))
  route(api, contract.decideCase, ({ ctx, actor, params, body, idempotency }) =>
    decideCase(ctx, parts, actor, params.id, body, idempotency),
  )
  route(api, contract.undoDeed, ({ ctx, actor, params, body }) => undoDeed(ctx, parts, actor, params.id, body.reason))
  route(api, contract.getLoad, ({ ctx, actor, query }) => getLoad(ctx, parts.communities, actor, query.scope))
  route(api, standing.getStanding, async ({ actor }) => ownStanding(actor))
  route(api, standing.listOwnDeeds, ({ ctx, actor, query }) => listOwnDeeds(ctx.db, parts.subjects, actor.id, query, ctx.clock.now()))
  route(api, standing.listHeldThings, ({ ctx, actor, query }) => listHeldThings(ctx.db, parts.subjects, actor.id, query))
  route(api, contract.appeal, ({ ctx, actor, params, body }) => makeAppeal(ctx, actor, params.id, body.content))
  route(api, contract.listAppeals, ({ ctx, actor, query }) => listAppeals(ctx.db, actor, query))
  route(api, contract.decideAppeal, ({ ctx, actor, params, body }) => decideAppeal(ctx, parts, actor, params.id, body))
  route(api, log.listModerationLog, ({ ctx, query }) => listLog(ctx.db, query))
  route(api, log.getModerationCounts, ({ ctx, query }) => countLog(ctx.db, query.days, ctx.clock.now()))
}
