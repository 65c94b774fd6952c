import { type Draft, maxDrafts, type NewDraft } from '../../../contracts/drafts.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { requireReadyMedia } from '../media/index.ts'
import { distinct, requireFitting } from '../posts/index.ts'
import { requirePermission } from '../team/index.ts'
import { countDrafts, insertDraft, replaceMedia } from './drafts.queries.ts'
import { readDraft } from './read-drafts.ts'

/**
 * Keeps a post for later, whole or not.
 * @throws AppError invalid_input, not_found or forbidden about the business, conflict where there are too many, idempotency_mismatch
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
      const id = newId()
      const { businessId } = input
      if (businessId !== null) await requirePermission(tx, actor, businessId, 'posts', { lock: true })
      requireFitting(input, businessId !== null)
      // Two at once may pass by one: the limit is there to keep a list short, not to sell more.
      if ((await countDrafts(tx, businessId === null ? { personId: actor.id } : { businessId })) >= maxDrafts) {
        throw new AppError('conflict', { message: `There are ${maxDrafts} drafts already. Publish or delete some first.` })
      }
      await requireReadyMedia(tx, actor.id, input.mediaIds)
      await insertDraft(tx, {
        id,
        business_id: businessId,
        author_id: actor.id,
        title: input.title,
        content: input.content,
        post_type: input.postType,
        is_exclusive: input.isExclusive,
        source_image_url: input.imageUrl || null,
        place: input.place || null,
        tags: distinct(input.tags),
        created_at: now,
        updated_at: now,
      })
      await replaceMedia(tx, id, input.mediaIds)
      return readDraft(tx, id)
    }),
  )
}
