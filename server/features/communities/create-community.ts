import { randomBytes } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import type { Community, NewCommunity } from '#contracts/communities.ts'
import { isUuid } from '#contracts/ids.ts'
import type { Trust } from '#contracts/trust.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { holdForReview } from '#server/features/moderation/index.ts'
import { lockPeople } from '#server/features/people/index.ts'
import { screenWords } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { countOwned, insertCommunity } from './communities.queries.ts'
import { loadCommunity } from './communities.view.ts'
import { addMember } from './memberships.queries.ts'

export const maxOwned: Record<Trust, number> = { new: 1, known: 5, trusted: 20 }

/**
 * Creates a community with the actor as owner and first member. If its words are held, only the actor sees it until a moderator
 * has reviewed it.
 * @throws AppError invalid_input about `imageId`, conflict if the actor owns too many, idempotency_mismatch
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
      // Serializes concurrent creation, because the number is limited.
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
  const maxCommunities = maxOwned[actor.trust]
  if ((await countOwned(tx, actor.id)) < maxCommunities) return
  const message =
    actor.trust === 'trusted'
      ? `You own ${maxCommunities} communities, the maxCommunities a person can have.`
      : `You can own ${maxCommunities === 1 ? 'one community' : `${maxCommunities} communities`} for now. The limit grows with time here and a confirmed email address.`
  throw new AppError('conflict', { message })
}

type Row = Omit<Parameters<typeof insertCommunity>[1], 'slug'>

/** Private communities never get a plain slug: see `communitySlug`. */
async function insertWithAddress(tx: Tx, row: Row): Promise<void> {
  const base = communitySlugBase(row.name)
  if (row.visibility !== 'private' && (await insertCommunity(tx, { ...row, slug: communitySlug(base, true) }))) return
  while (!(await insertCommunity(tx, { ...row, slug: communitySlug(base, false) })));
}

const maxLength = 60

/** Used, or possibly used later, by calls (`/api/communities/my`) and screens (`/communities/invitations/…`). */
const reserved = new Set([
  ...['admin', 'categories', 'community', 'create', 'discover', 'feed', 'invitations', 'join', 'manage', 'moderation', 'my', 'new'],
  ...['notifications', 'posts', 'requests', 'search', 'settings', 'suggestions', 'tags'],
])

export function communitySlugBase(name: string): string {
  const slug = slugify(name, { decamelize: false }).slice(0, maxLength).replace(/-$/, '')
  if (slug === '') return 'community'
  // Paths accept an ID or a slug, so a slug must not look like an ID.
  return reserved.has(slug) || isUuid(slug) ? `${slug}-community` : slug
}

/**
 * The next slug to try. Duplicates of a name and all private communities get a random suffix. With numbers, a gap would reveal a
 * private community of the same name.
 */
export const communitySlug = (base: string, isPlain: boolean): string => (isPlain ? base : `${base}-${randomBytes(4).toString('hex')}`)
