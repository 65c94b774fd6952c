import * as contract from '#contracts/drafts.endpoints.ts'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import { createPostByKey } from '#contracts/integrations.endpoints.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { requireWorkingKey } from '#server/features/keys/index.ts'
import { publishPost, requirePublishable, screenPost } from '#server/features/posts/index.ts'
import { requirePermission, type TeamBusiness } from '#server/features/team/index.ts'
import { ageOf, type KeyActor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { draftsPath, getBestTimes, listDrafts, loadDraft } from './read-drafts.ts'
import { createDraft, deleteDraft, publishDraft, saveDraft, scheduleDraft, unscheduleDraft, updateDraft } from './write-drafts.ts'

export { mayReadDraftMedia, notifiedDrafts } from './drafts.queries.ts'
export { draftsPath } from './read-drafts.ts'
export { draftJobs, draftSchedules } from './write-drafts.ts'

export function registerDrafts(api: Api): void {
  route(api, contract.listDrafts, ({ ctx, actor, query }) => listDrafts(ctx.db, actor, query))
  route(api, contract.createDraft, ({ ctx, actor, body, idempotency }) => createDraft(ctx, actor, body, idempotency))
  route(api, contract.getDraft, ({ ctx, actor, params }) => loadDraft(ctx.db, actor, params.id))
  route(api, contract.updateDraft, ({ ctx, actor, params, body }) => updateDraft(ctx, actor, params.id, body))
  route(api, contract.deleteDraft, ({ ctx, actor, params }) => deleteDraft(ctx, actor, params.id))
  route(api, contract.scheduleDraft, ({ ctx, actor, params, body }) => scheduleDraft(ctx, actor, params.id, body.publishAt))
  route(api, contract.unscheduleDraft, ({ ctx, actor, params }) => unscheduleDraft(ctx, actor, params.id))
  route(api, contract.publishDraft, ({ ctx, actor, params }) => publishDraft(ctx, actor, params.id))
  route(api, createPostByKey, ({ ctx, key, body, idempotency }) => postByKey(ctx, key, body, idempotency))
  route(api, contract.getBestTimes, ({ ctx, actor, params, query }) => getBestTimes(ctx, actor, params.id, query.timeZone))
}

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'events' | 'jobs'>
type SentPost = Parsed<(typeof createPostByKey)['body']>
type Stored = Pick<ResponseOf<typeof createPostByKey>, 'id' | 'status' | 'heldFor'>

/**
 * Publishes a post from another system, or saves it as a draft, with the rights of the person who created the key. That person is the
 * post's author, which only the team sees.
 * @throws AppError signed_out if the key no longer works, and everything that refuses a person's post
 */
function postByKey(
  ctx: Ctx,
  { id: keyId }: KeyActor,
  sent: SentPost,
  idempotency: IdempotencyKey | null,
): Promise<ResponseOf<typeof createPostByKey>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const key = await requireWorkingKey(tx, ctx, keyId)
    const { creator } = key
    const business = await requirePermission(tx, creator, key.businessId, 'posts', { lock: true })
    return once(tx, creator.id, ofKey(keyId, idempotency), now, async () => {
      const { id, status, heldFor } =
        sent.status === 'draft' ? await draft(tx, key, sent, now) : await publish(tx, ctx, key, business, sent)
      await recordAudit(tx, {
        at: now,
        actorId: creator.id,
        action: 'post.sent',
        subjectType: 'post',
        subjectId: id,
        businessId: business.id,
        details: { key: keyId, status },
      })
      const page = status === 'draft' ? draftsPath(business.slug) : `/post/${id}`
      return { id, status, heldFor, url: ctx.config.publicUrl + page }
    })
  })
}

/** Two systems connected by one person may use the same Idempotency-Key. */
const ofKey = (keyId: string, idempotency: IdempotencyKey | null): IdempotencyKey | null =>
  idempotency && { ...idempotency, key: `${keyId} ${idempotency.key}` }

async function draft(tx: Tx, { creator, businessId }: KeyActor, sent: SentPost, now: Date): Promise<Stored> {
  const id = await saveDraft(tx, creator.id, { ...sent, businessId, mentions: [] }, now)
  return { id, status: 'draft', heldFor: [] }
}

async function publish(tx: Tx, ctx: Ctx, { creator }: KeyActor, business: TeamBusiness, sent: SentPost): Promise<Stored> {
  const now = ctx.clock.now()
  const viewer = { id: creator.id, age: ageOf(creator, now), now }
  requirePublishable(sent, viewer, business)
  const post = { ...sent, id: newId(), businessId: business.id, mediaIds: [] }
  const { id, moderation, heldFor } = await publishPost(tx, ctx, viewer, post, await screenPost(tx, ctx, creator, post))
  return { id, status: moderation === 'held' ? 'held' : 'published', heldFor }
}
