import { ageOn, utcDate } from '../../../contracts/age.ts'
import type { Post } from '../../../contracts/posts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { loadPosts, publishPost, requirePublishable, screenPost, type Viewer, viewerOf } from '../posts/index.ts'
import { type Writer, writerOf } from '../screening/index.ts'
import { requirePermission } from '../team/index.ts'
import { requireWhole } from './draft-rules.ts'
import { type HeldDraft, holdDraft, holdReadyMedia, mediaIdsOf, removeDraft } from './drafts.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs'>

/**
 * Publishes a draft at once, in the right of whoever says so. The draft becomes the post, with its id, in one transaction.
 * @throws AppError not_found, invalid_input, age_restricted
 */
export async function publishDraft(ctx: Ctx, actor: Actor, draftId: string): Promise<Post> {
  const viewer = viewerOf(actor, ctx.clock.now())
  return inTransaction(ctx.db, async (tx) => {
    const draft = await holdDraft(tx, actor.id, draftId, { lock: true }).catch(async (error) => {
      // A repetition finds what the first one made of it.
      const [published] = error instanceof AppError && error.code === 'not_found' ? await loadPosts(tx, viewer, [draftId]) : []
      if (published?.abilities.edit) return published
      throw error
    })
    return 'likesCount' in draft ? draft : becomePost(tx, ctx, viewer, actor, draft)
  })
}

/**
 * Publishes a draft whose time has come, if that is still so. Whoever else is about to do the same holds it or has done it: then
 * there is nothing to do here, now or ever.
 * @throws AppError muted, forbidden where the author no longer speaks for the business, and all that refuses a post
 */
export async function publishDue(ctx: Ctx, draftId: string): Promise<'published' | 'not due'> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const draft = await tx
      .selectFrom('post_drafts')
      .selectAll()
      .where('id', '=', draftId)
      .where('status', '=', 'scheduled')
      .where('publish_at', '<=', now)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!draft) return 'not due'
    await requireMaySpeak(tx, draft.author_id, now)
    if (draft.business_id !== null) await requireStillInTeam(tx, draft.author_id, draft.business_id)
    await becomePost(tx, ctx, await viewerOfWriter(tx, draft.author_id, now), await writerOf(tx, draft.author_id, now), draft)
    return 'published'
  })
}

/** Of a draft that the transaction holds, and whose writer may speak for its business. */
async function becomePost(tx: Tx, ctx: Ctx, viewer: Viewer, writer: Writer, draft: HeldDraft): Promise<Post> {
  requireWhole(draft)
  requirePublishable({ postType: draft.post_type, isExclusive: draft.is_exclusive }, viewer, await placeOf(tx, draft))
  const mediaIds = await mediaIdsOf(tx, draft.id)
  if ((await holdReadyMedia(tx, mediaIds)) < mediaIds.length) throw invalidField('mediaIds', 'One of these uploads is not ready')
  // Before the post takes its pictures: a picture is shown in one place.
  await removeDraft(tx, draft.id)
  const post = {
    id: draft.id,
    businessId: draft.business_id,
    title: draft.title,
    content: draft.content,
    postType: draft.post_type,
    isExclusive: draft.is_exclusive,
    imageUrl: draft.source_image_url ?? '',
    mediaIds,
    place: draft.place ?? '',
    tags: draft.tags,
  }
  return publishPost(tx, ctx, viewer, post, await screenPost(tx, ctx, writer, post))
}

/** What was scheduled before somebody was muted, suspended or banned is not said for them. @throws AppError muted */
async function requireMaySpeak(tx: Tx, userId: string, now: Date): Promise<void> {
  const { muted_until, suspended_until, banned_at } = await tx
    .selectFrom('users')
    .select(['muted_until', 'suspended_until', 'banned_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const until = [muted_until, suspended_until].some((end) => end !== null && end > now)
  if (until || banned_at !== null) throw new AppError('muted', { message: 'Whoever scheduled this may not write here for now.' })
}

async function requireStillInTeam(tx: Tx, userId: string, businessId: string): Promise<void> {
  try {
    await requirePermission(tx, { id: userId }, businessId, 'posts', { lock: true })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error
    throw new AppError('forbidden', { message: 'Whoever scheduled this no longer speaks for the business. Schedule it anew.' })
  }
}

async function viewerOfWriter(tx: Tx, userId: string, now: Date): Promise<Viewer> {
  const { birthday } = await tx.selectFrom('users').select('birthday').where('id', '=', userId).executeTakeFirstOrThrow()
  return { id: userId, age: birthday === null ? null : ageOn(birthday, utcDate(now)), now }
}

/** Where the business of a draft stands; null for a person's own. */
export async function placeOf(tx: Tx, { business_id: id }: { business_id: string | null }) {
  if (id === null) return null
  return tx.selectFrom('businesses').select(['country', 'state']).where('id', '=', id).executeTakeFirstOrThrow()
}
