import type { Draft } from '../../../contracts/drafts.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { requirePublishable, viewerOf } from '../posts/index.ts'
import { requireTimeAhead, requireWhole } from './draft-rules.ts'
import { holdDraft, updateDraft } from './drafts.queries.ts'
import { placeOf } from './publish-draft.ts'
import { readDraft } from './read-drafts.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Has a draft published at a time, in the right of whoever says so. What would be refused then is refused now already.
 * @throws AppError not_found, invalid_input, age_restricted
 */
export async function scheduleDraft(ctx: Ctx, actor: Actor, draftId: string, publishAt: string): Promise<Draft> {
  const now = ctx.clock.now()
  const time = new Date(publishAt)
  return inTransaction(ctx.db, async (tx) => {
    const draft = await holdDraft(tx, actor.id, draftId, { lock: true })
    requireTimeAhead(time, now)
    requireWhole(draft)
    requirePublishable({ postType: draft.post_type, isExclusive: draft.is_exclusive }, viewerOf(actor, now), await placeOf(tx, draft))
    await updateDraft(tx, draftId, { status: 'scheduled', publish_at: time, error: null, author_id: actor.id, updated_at: now })
    return readDraft(tx, draftId)
  })
}

/** @throws AppError not_found */
export async function unscheduleDraft(ctx: Ctx, actor: Actor, draftId: string): Promise<Draft> {
  return inTransaction(ctx.db, async (tx) => {
    const draft = await holdDraft(tx, actor.id, draftId, { lock: true })
    if (draft.status !== 'draft') {
      await updateDraft(tx, draftId, { status: 'draft', publish_at: null, error: null, updated_at: ctx.clock.now() })
    }
    return readDraft(tx, draftId)
  })
}
