import type { Hunt, HuntVisibility } from '../../../contracts/hunts.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type Actor, requireVoice } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { requireHunt } from './hunt-access.ts'
import { requireShowableHunt } from './hunt-words.ts'
import { updateHunt } from './hunts.queries.ts'
import { loadHunt } from './read-hunts.ts'

/**
 * Makes a hunt public or private. Nobody is told: whoever looks at public hunts finds it, and a private one is nobody's business.
 * @throws AppError not_found, forbidden; muted and invalid_input about `visibility` where its words cannot be public
 */
export async function setHuntVisibility(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  visibility: HuntVisibility,
): Promise<Hunt> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    if (hunt.visibility !== visibility) {
      if (visibility === 'public') {
        requireVoice(actor)
        await requireShowableHunt(tx, actor, huntId, 'visibility')
      }
      await updateHunt(tx, huntId, { visibility, published_at: visibility === 'public' ? now : null, updated_at: now })
    }
    return loadHunt(tx, actor, huntId)
  })
}
