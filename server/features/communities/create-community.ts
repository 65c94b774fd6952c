import type { Community, NewCommunity } from '../../../contracts/communities.ts'
import type { Trust } from '../../../contracts/trust.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { requireReadyMedia, syncMediaUses } from '../media/index.ts'
import { holdForReview } from '../moderation/index.ts'
import { lockPeople } from '../people/index.ts'
import { screenWords } from '../screening/index.ts'
import { countOwned, insertCommunity } from './communities.queries.ts'
import { addMember } from './memberships.queries.ts'
import { loadCommunity } from './read-communities.ts'
import { communitySlug, communitySlugBase } from './slugs.ts'

/** How many somebody may own at once. */
export const mostOwned: Record<Trust, number> = { new: 1, known: 5, trusted: 20 }

/**
 * Begins a community, of which the actor is the owner and first member. Where its words are held, it exists for them alone until a
 * moderator has looked.
 * @throws AppError invalid_input about `imageId`, conflict where the actor owns enough, idempotency_mismatch
 */
export async function createCommunity(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  input: NewCommunity,
  idempotency: IdempotencyKey | null,
): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      // Two at once count one after the other.
      await lockPeople(tx, [actor.id])
      await requireRoomToOwn(tx, actor)
      if (input.imageId !== null) await requireReadyMedia(tx, actor.id, [input.imageId], { kinds: ['image'], field: 'imageId' })
      const id = newId()
      const texts = [input.name, input.description, ...input.rules]
      const verdict = await screenWords(tx, ctx, actor, { kind: 'community', texts, subjectId: id, field: 'description' })
      await insertWithAddress(tx, {
        id,
        name: input.name,
        description: input.description,
        category: input.category,
        visibility: input.visibility,
        rules: input.rules,
        image_id: input.imageId,
        moderation: verdict.state,
        created_by: actor.id,
        created_at: now,
        updated_at: now,
      })
      if (input.imageId !== null) await syncMediaUses(tx, 'community', [id])
      await addMember(tx, { communityId: id, userId: actor.id, role: 'owner', now })
      if (verdict.state === 'held') {
        const { findings } = verdict
        await holdForReview(tx, { subject: 'community', subjectId: id, userId: actor.id, communityId: null, findings, now })
      }
      return loadCommunity(tx, actor, id, now)
    }),
  )
}

async function requireRoomToOwn(tx: Tx, actor: Actor): Promise<void> {
  const most = mostOwned[actor.trust]
  if ((await countOwned(tx, actor.id)) < most) return
  const message =
    actor.trust === 'trusted'
      ? `You own ${most} communities, which is as many as one person can.`
      : `You can own ${most === 1 ? 'one community' : `${most} communities`} for now. It becomes more with time here and a confirmed email address.`
  throw new AppError('conflict', { message })
}

type Row = Omit<Parameters<typeof insertCommunity>[1], 'slug'>

/** A private one never takes a plain address: see `communitySlug`. */
async function insertWithAddress(tx: Tx, row: Row): Promise<void> {
  const base = communitySlugBase(row.name)
  if (row.visibility !== 'private' && (await insertCommunity(tx, { ...row, slug: communitySlug(base, true) }))) return
  while (!(await insertCommunity(tx, { ...row, slug: communitySlug(base, false) })));
}
