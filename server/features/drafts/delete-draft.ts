import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { holdDraft, removeDraft } from './drafts.queries.ts'

/** Its pictures belong to nothing then, and are swept. @throws AppError not_found */
export async function deleteDraft(ctx: Pick<Context, 'db'>, actor: Actor, draftId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const draft = await holdDraft(tx, actor.id, draftId, { lock: true })
    await removeDraft(tx, draft.id)
  })
}
