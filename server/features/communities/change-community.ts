import type { Community, CommunityChange } from '../../../contracts/communities.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { markForSearch } from '../../kernel/search.ts'
import { requireReadyMedia, syncMediaUses } from '../media/index.ts'
import { screenWords } from '../screening/index.ts'
import { auditCommunity } from './audit.ts'
import { communitySearchText } from './communities.queries.ts'
import { requireCommunity } from './community-access.ts'
import { loadCommunity } from './read-communities.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Changes an own community. Its address stays, so that links go on working. Those who asked to be let in are not waiting any more once
 * nobody is let in: a public one they join by themselves, a private one they do not know of.
 * @throws AppError not_found, forbidden, invalid_input about `imageId`
 */
export async function changeCommunity(ctx: Ctx, actor: Actor, communityId: string, change: CommunityChange): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireCommunity(tx, actor, communityId, 'own', now, { lock: 'update' })
    const { imageId, ...words } = change
    const old = await partsOf(tx, communityId)
    // The picture that is there already may be sent again.
    if (imageId && imageId !== old.image_id) await requireReadyMedia(tx, actor.id, [imageId], { kinds: ['image'], field: 'imageId' })
    await requireClean(tx, ctx, actor, communityId, old, words)
    if (Object.keys(change).length > 0) {
      await tx
        .updateTable('communities')
        .set({
          ...words,
          ...(imageId === undefined ? {} : { image_id: imageId }),
          // The badge was given to another name.
          ...(words.name === undefined || words.name === before.name ? {} : { is_verified: false }),
          search_text: communitySearchText({ name: words.name ?? old.name, description: words.description ?? old.description }),
          updated_at: now,
        })
        .where('id', '=', communityId)
        .execute()
      if (imageId !== undefined) await syncMediaUses(tx, 'community', [communityId])
      await markForSearch(tx, 'community', [communityId])
    }
    const visibility = change.visibility ?? before.visibility
    if (visibility !== before.visibility) {
      if (visibility !== 'invite_only') await tx.deleteFrom('community_requests').where('community_id', '=', communityId).execute()
      await auditCommunity(tx, actor, 'community.visibility_changed', communityId, now, { before: before.visibility, after: visibility })
    }
    return loadCommunity(tx, actor, communityId, now)
  })
}

const partsOf = (tx: Tx, id: string) =>
  tx.selectFrom('communities').select(['name', 'description', 'rules', 'image_id']).where('id', '=', id).executeTakeFirstOrThrow()

type Parts = Awaited<ReturnType<typeof partsOf>>

/**
 * To hold a community for its new words would take it from everybody in it: words that would hold a new one are refused.
 * @throws AppError invalid_input
 */
async function requireClean(tx: Tx, ctx: Ctx, actor: Actor, id: string, old: Parts, change: CommunityChange): Promise<void> {
  const { name = old.name, description = old.description, rules = old.rules } = change
  const before = [old.name, old.description, ...old.rules]
  const { findings } = await screenWords(tx, ctx, actor, { kind: 'community', texts: [name, description, ...rules], before, subjectId: id })
  const field = name !== old.name ? 'name' : description !== old.description ? 'description' : 'rules'
  if (findings.length > 0) throw invalidField(field, findings.map(({ says }) => says).join(' '))
}

/**
 * Deletes an own community with everything that members wrote in it. An owner answers for what is said there and must be able to end
 * it, also while others are in; because their words go too, its name has to be typed.
 * @throws AppError not_found, forbidden, invalid_input about `name`
 */
export async function deleteCommunity(ctx: Ctx, actor: Actor, communityId: string, typedName: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { name, visibility } = await requireCommunity(tx, actor, communityId, 'own', now, { lock: 'update' })
    if (typedName.toLowerCase() !== name.toLowerCase()) throw invalidField('name', 'This is not the name of the community')
    // Pictures belong to nothing then, and are swept.
    await tx.deleteFrom('communities').where('id', '=', communityId).execute()
    await auditCommunity(tx, actor, 'community.deleted', communityId, now, { visibility })
  })
}

/**
 * The badge. An admin gives it to what an admin can see: of private communities they know no more than others.
 * @throws AppError not_found, conflict for a private one the admin is in
 */
export async function verifyCommunity(ctx: Ctx, admin: Actor, communityId: string, isVerified: boolean): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { visibility } = await requireCommunity(tx, admin, communityId, 'see', now, { lock: 'update' })
    if (visibility === 'private') throw new AppError('conflict', { message: 'The badge is for communities that others can find.' })
    const changed = await tx
      .updateTable('communities')
      .set({ is_verified: isVerified, updated_at: now })
      .where('id', '=', communityId)
      .where('is_verified', '<>', isVerified)
      .returning('id')
      .executeTakeFirst()
    const community = await loadCommunity(tx, admin, communityId, now)
    if (changed) await auditCommunity(tx, admin, isVerified ? 'community.verified' : 'community.unverified', communityId, now)
    return community
  })
}
