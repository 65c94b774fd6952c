import * as contract from '#contracts/drafts.endpoints.ts'
import { createPostByKey } from '#contracts/integrations.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { postByKey } from './post-by-key.ts'
import { getBestTimes, listDrafts, loadDraft } from './read-drafts.ts'
import { changeDraft, createDraft, deleteDraft, publishDraft, scheduleDraft, unscheduleDraft } from './write-drafts.ts'

export { mayReadDraftMedia } from './drafts.queries.ts'
export { draftJobs, draftSchedules } from './write-drafts.ts'

export function registerDrafts(api: Api): void {
  route(api, contract.listDrafts, ({ ctx, actor, query }) => listDrafts(ctx.db, actor, query))
  route(api, contract.createDraft, ({ ctx, actor, body, idempotency }) => createDraft(ctx, actor, body, idempotency))
  route(api, contract.getDraft, ({ ctx, actor, params }) => loadDraft(ctx.db, actor, params.id))
  route(api, contract.changeDraft, ({ ctx, actor, params, body }) => changeDraft(ctx, actor, params.id, body))
  route(api, contract.deleteDraft, ({ ctx, actor, params }) => deleteDraft(ctx, actor, params.id))
  route(api, contract.scheduleDraft, ({ ctx, actor, params, body }) => scheduleDraft(ctx, actor, params.id, body.publishAt))
  route(api, contract.unscheduleDraft, ({ ctx, actor, params }) => unscheduleDraft(ctx, actor, params.id))
  route(api, contract.publishDraft, ({ ctx, actor, params }) => publishDraft(ctx, actor, params.id))
  route(api, createPostByKey, ({ ctx, key, body, idempotency }) => postByKey(ctx, key, body, idempotency))
  route(api, contract.getBestTimes, ({ ctx, actor, params, query }) => getBestTimes(ctx, actor, params.id, query.timeZone))
}
