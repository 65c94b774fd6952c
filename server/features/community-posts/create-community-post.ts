import type { CommunityPost, NewCommunityPost } from '../../../contracts/community-posts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { requireCommunity } from '../communities/index.ts'
import { requireReadyMedia } from '../media/index.ts'
import { linkColumns, storePost, viewerOf } from '../posts/index.ts'
import { screenWords } from '../screening/index.ts'
import { readCommunityPost } from './read-community-post.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs'>

/**
 * Posts in a community, under the own name. A repetition with the same idempotency key gets the first one's answer.
 * @throws AppError not_found, forbidden, invalid_input, idempotency_mismatch
 */
export async function createCommunityPost(
  ctx: Ctx,
  actor: Actor,
  input: NewCommunityPost,
  idempotency: IdempotencyKey | null,
): Promise<CommunityPost> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  const { communityId, postType, title, content, mediaIds, tags } = input
  const id = newId()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      await requireCommunity(tx, actor, communityId, 'write', now, { lock: 'update' })
      await requireReadyMedia(tx, actor.id, mediaIds)
      const link = await linkColumns(tx, viewer, input.link)
      const texts = [title, content, ...(input.poll?.options ?? []), tags.join(' ')]
      const verdict = await screenWords(tx, ctx, actor, { kind: 'community_post', texts, postType, communityId, subjectId: id })
      const post = { id, communityId, postType, title, content, mediaIds, tags, link }
      await storePost(tx, ctx, viewer, { ...post, businessId: null, isExclusive: false, imageUrl: '', place: '' }, verdict)
      if (input.poll) await addPoll(tx, id, input.poll, now)
      return readCommunityPost(tx, viewer, id)
    }),
  )
}

async function addPoll(tx: Tx, postId: string, { options, closesInDays }: NonNullable<NewCommunityPost['poll']>, now: Date): Promise<void> {
  const closesAt = new Date(now.getTime() + closesInDays * 24 * 60 * 60 * 1000)
  await tx.insertInto('polls').values({ post_id: postId, closes_at: closesAt }).execute()
  await tx
    .insertInto('poll_options')
    .values(options.map((label, position) => ({ post_id: postId, position, label })))
    .execute()
}
