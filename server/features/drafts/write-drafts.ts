import type { Draft, DraftChange, NewDraft } from '#contracts/drafts.ts'
import { maxDrafts } from '#contracts/limits.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireReadyMedia } from '#server/features/media/index.ts'
import { distinct, requireFitting, requirePublishable, viewerOf } from '#server/features/posts/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { countDrafts, insertDraft, mediaIdsOf, removeDraft, replaceMedia, requireDraft, updateDraft } from './drafts.queries.ts'
import { placeOf, requireTimeAhead, requireWhole } from './publish-draft.ts'
import { readDraft } from './read-drafts.ts'

/**
 * Saves a draft, which may be incomplete.
 * @throws AppError invalid_input, not_found or forbidden about the business, conflict at the limit, idempotency_mismatch
 */
export async function createDraft(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  input: NewDraft,
  idempotency: IdempotencyKey | null,
): Promise<Draft> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      const { businessId } = input
      if (businessId !== null) await requirePermission(tx, actor, businessId, 'posts', { lock: true })
      requireFitting(input, businessId !== null)
      // Concurrent requests may slightly exceed the limit, which is harmless: the limit only keeps the list short.
      if ((await countDrafts(tx, businessId === null ? { personId: actor.id } : { businessId })) >= maxDrafts) {
        throw new AppError('conflict', { message: `There are already ${maxDrafts} drafts. Publish or delete some first.` })
      }
      await requireReadyMedia(tx, actor.id, input.mediaIds)
      const draftId = await insertDraft(tx, {
        id: newId(),
        business_id: businessId,
        author_id: actor.id,
        title: input.title,
        content: input.content,
        post_type: input.postType,
        is_exclusive: input.isExclusive,
        source_image_url: input.imageUrl || null,
        place: input.place || null,
        tags: distinct(input.tags),
        mentions: JSON.stringify(input.mentions),
        created_at: now,
        updated_at: now,
      })
      await replaceMedia(tx, draftId, input.mediaIds)
      return readDraft(tx, draftId)
    }),
  )
}

/**
 * Changes the given fields of a draft. A failed draft becomes a draft again, because the change may have fixed it.
 * @throws AppError not_found, invalid_input, conflict if it was changed meanwhile
 */
export async function changeDraft(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, draftId: string, input: DraftChange): Promise<Draft> {
  return inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true })
    if (draft.version !== input.version) {
      throw new AppError('conflict', { message: "This draft was changed in the meantime. Reload it to see what's new." })
    }
    const { title = draft.title, content = draft.content, postType = draft.post_type, isExclusive = draft.is_exclusive } = input
    requireFitting({ postType, isExclusive }, draft.business_id !== null)
    if (draft.status === 'scheduled') requireWhole({ title, content })
    if (input.mediaIds) await changeMedia(tx, actor.id, draftId, input.mediaIds)
    await updateDraft(tx, draftId, {
      title,
      content,
      post_type: postType,
      is_exclusive: isExclusive,
      ...(input.imageUrl === undefined ? {} : { source_image_url: input.imageUrl || null }),
      ...(input.place === undefined ? {} : { place: input.place || null }),
      ...(input.tags === undefined ? {} : { tags: distinct(input.tags) }),
      ...(input.mentions === undefined ? {} : { mentions: JSON.stringify(input.mentions) }),
      ...(draft.status === 'failed' ? { status: 'draft', error: null, publish_at: null } : {}),
      updated_at: ctx.clock.now(),
    })
    return readDraft(tx, draft.id)
  })
}

/** Media already on the draft may stay, regardless of who uploaded it. @throws AppError invalid_input */
async function changeMedia(tx: Tx, userId: string, draftId: string, mediaIds: readonly string[]): Promise<void> {
  if (new Set(mediaIds).size < mediaIds.length) throw invalidField('mediaIds', 'Add each picture or video only once')
  const before = new Set(await mediaIdsOf(tx, draftId))
  await requireReadyMedia(
    tx,
    userId,
    mediaIds.filter((id) => !before.has(id)),
  )
  await replaceMedia(tx, draftId, mediaIds)
}

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Schedules a draft with the permissions of the actor. Refuses now what would be refused at publication.
 * @throws AppError not_found, invalid_input, age_restricted
 */
export async function scheduleDraft(ctx: Ctx, actor: Actor, draftId: string, publishAt: string): Promise<Draft> {
  const now = ctx.clock.now()
  const time = new Date(publishAt)
  return inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true })
    requireTimeAhead(time, now)
    requireWhole(draft)
    requirePublishable({ postType: draft.post_type, isExclusive: draft.is_exclusive }, viewerOf(actor, now), await placeOf(tx, draft))
    await updateDraft(tx, draftId, { status: 'scheduled', publish_at: time, error: null, author_id: actor.id, updated_at: now })
    return readDraft(tx, draft.id)
  })
}

/** @throws AppError not_found */
export async function unscheduleDraft(ctx: Ctx, actor: Actor, draftId: string): Promise<Draft> {
  return inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true })
    if (draft.status !== 'draft') {
      await updateDraft(tx, draftId, { status: 'draft', publish_at: null, error: null, updated_at: ctx.clock.now() })
    }
    return readDraft(tx, draft.id)
  })
}

/** Its media become unattached and are swept later. @throws AppError not_found */
export async function deleteDraft(ctx: Pick<Context, 'db'>, actor: Actor, draftId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const draft = await requireDraft(tx, actor.id, draftId, { lock: true })
    await removeDraft(tx, draft.id)
  })
}
