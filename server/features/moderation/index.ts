import * as contract from '#contracts/moderation.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { decideAppeal, listAppeals, makeAppeal } from './appeals.ts'
import { decideCase, undoModerationDecision } from './decide-case.ts'
import { listOwnDecisions, toAccountStatus } from './own-account-status.ts'
import { countLog, getLoad, getReviewTime, listLog } from './public-log.ts'
import { assignCase, getCase, listCases, listHeldContent } from './read-cases.ts'
import type { ModerationParts } from './subjects.ts'

export { inQueueOf, leaveCasesToSite, type NotifiedDecision, notifiedDecisions } from './cases.ts'
export { moderationJobs, moderationSchedules } from './moderation.jobs.ts'
export { flagForReview, holdForReview, openReportCase } from './open-case.ts'
export { mayReadCaseMedia } from './read-cases.ts'
export type { CommunityModeration, ModerationParts } from './subjects.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** A filter now holds content until a moderator reviews it. */
    'content.held': { caseId: string }
    'moderation.acted': { actionId: string }
    /** From the site, not from a community. */
    'person.banned': { userId: string }
    'appeal.decided': { appealId: string }
  }
}

export function registerModeration(api: Api, parts: ModerationParts): void {
  route(api, contract.listCases, ({ ctx, actor, query }) => listCases(ctx, parts, actor, query))
  route(api, contract.getCase, ({ ctx, actor, params, query }) => getCase(ctx, parts, actor, params.id, query.actsFor))
  route(api, contract.assignCase, ({ ctx, actor, params, body }) => assignCase(ctx, parts, actor, params.id, body.isMine))
  route(api, contract.decideCase, ({ ctx, actor, params, body, idempotency }) =>
    decideCase(ctx, parts, actor, params.id, body, idempotency),
  )
  route(api, contract.undoModerationDecision, ({ ctx, actor, params, body }) =>
    undoModerationDecision(ctx, parts, actor, params.id, body.reason),
  )
  route(api, contract.getLoad, ({ ctx, actor, query }) => getLoad(ctx, parts.communities, actor, query.scope))
  route(api, contract.getAccountStatus, async ({ actor }) => toAccountStatus(actor))
  route(api, contract.listOwnDecisions, ({ ctx, actor, query }) =>
    listOwnDecisions(ctx.db, parts.subjects, actor.id, query, ctx.clock.now()),
  )
  route(api, contract.getReviewTime, ({ ctx }) => getReviewTime(ctx))
  route(api, contract.listHeldContent, ({ ctx, actor, query }) => listHeldContent(ctx.db, parts.subjects, actor.id, query))
  route(api, contract.appeal, ({ ctx, actor, params, body }) => makeAppeal(ctx, actor, params.id, body.content))
  route(api, contract.listAppeals, ({ ctx, actor, query }) => listAppeals(ctx, parts, actor, query))
  route(api, contract.decideAppeal, ({ ctx, actor, params, body }) => decideAppeal(ctx, parts, actor, params.id, body))
  route(api, contract.listModerationLog, ({ ctx, query }) => listLog(ctx.db, query), { replicaFor: 'anyone' })
  route(api, contract.getModerationCounts, ({ ctx, query }) => countLog(ctx.db, query.days, ctx.clock.now()), {
    replicaFor: 'anyone',
  })
}
