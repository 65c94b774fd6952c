import type { Draft, DraftChange } from '../../../contracts/drafts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { requireReadyMedia } from '../media/index.ts'
import { distinct, requireFitting } from '../posts/index.ts'
import { requireWhole } from './draft-rules.ts'
import { holdDraft, mediaIdsOf, replaceMedia, updateDraft } from './drafts.queries.ts'
import { readDraft } from './read-drafts.ts'

/**
 * Changes a draft; what is not given stays. One that failed is a draft again: what was wrong may be right now.
 * @throws AppError not_found, invalid_input, conflict when somebody changed it meanwhile
 */
export async function changeDraft(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, draftId: string, input: DraftChange): Promise<Draft> {
  return inTransaction(ctx.db, async (tx) => {
    const draft = await holdDraft(tx, actor.id, draftId, { lock: true })
    if (draft.version !== input.version) {
      throw new AppError('conflict', { message: 'Somebody changed this draft meanwhile. Load it again to see what is new.' })
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
      ...(draft.status === 'failed' ? { status: 'draft', error: null, publish_at: null } : {}),
      updated_at: ctx.clock.now(),
    })
    return readDraft(tx, draftId)
  })
}

/** What is on the draft already may stay, whoever uploaded it. @throws AppError invalid_input */
async function changeMedia(tx: Tx, userId: string, draftId: string, mediaIds: readonly string[]): Promise<void> {
  if (new Set(mediaIds).size < mediaIds.length) throw invalidField('mediaIds', 'Each picture or video only once')
  const before = new Set(await mediaIdsOf(tx, draftId))
  await requireReadyMedia(
    tx,
    userId,
    mediaIds.filter((id) => !before.has(id)),
  )
  await replaceMedia(tx, draftId, mediaIds)
}
