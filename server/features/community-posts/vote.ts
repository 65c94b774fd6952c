import { sql } from 'kysely'
import type { votePoll } from '#contracts/community-posts.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { isPollClosed, loadPolls, requireTakingPart, viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { lockCommunityPost } from './read-community-post.ts'

/**
 * Votes in a poll, changes the vote, or withdraws it with null. Idempotent.
 * @throws AppError not_found, forbidden if the person can't write in the community, invalid_input for an unknown option,
 * conflict once the poll is closed
 */
export async function changeVote(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  postId: string,
  position: number | null,
): Promise<ResponseOf<typeof votePoll>> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    // Serializes the votes of a poll, so that the counts can't race.
    const post = await lockCommunityPost(tx, viewer, postId)
    const poll = await tx.selectFrom('polls').select('closes_at').where('post_id', '=', postId).executeTakeFirst()
    if (!poll) throw notFound("This post isn't a poll.")
    await requireTakingPart(tx, actor, post, now)
    if (isPollClosed(poll.closes_at, now)) throw new AppError('conflict', { message: 'This poll is closed.' })
    if (position !== null) await requireOption(tx, postId, position)
    const before = await voteOf(tx, postId, actor.id)
    if (before !== position) {
      await writeVote(tx, { postId, userId: actor.id, position, now })
      await countVotes(tx, postId, before, position)
    }
    const changed = (await loadPolls(tx, actor.id, [postId], now)).get(postId)
    if (!changed) throw notFound("This post isn't a poll.")
    return { id: postId, poll: changed }
  })
}

async function requireOption(tx: Tx, postId: string, position: number): Promise<void> {
  const option = await tx
    .selectFrom('poll_options')
    .select('position')
    .where('post_id', '=', postId)
    .where('position', '=', position)
    .executeTakeFirst()
  if (!option) throw invalidField('position', 'Choose one of the options')
}

async function voteOf(tx: Tx, postId: string, userId: string): Promise<number | null> {
  const vote = await tx
    .selectFrom('poll_votes')
    .select('position')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return vote?.position ?? null
}

type Vote = { postId: string; userId: string; position: number | null; now: Date }

async function writeVote(tx: Tx, { postId, userId, position, now }: Vote): Promise<void> {
  if (position === null) {
    await tx.deleteFrom('poll_votes').where('post_id', '=', postId).where('user_id', '=', userId).execute()
    return
  }
  await tx
    .insertInto('poll_votes')
    .values({ post_id: postId, user_id: userId, position, created_at: now })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doUpdateSet({ position, created_at: now }))
    .execute()
}

async function countVotes(tx: Tx, postId: string, before: number | null, after: number | null): Promise<void> {
  await sql`
    update poll_options set votes_count = votes_count + case when position is not distinct from ${after}::smallint then 1 else -1 end
    where post_id = ${postId}::uuid and position in (${before}::smallint, ${after}::smallint)`.execute(tx)
  const by = Number(after !== null) - Number(before !== null)
  if (by !== 0) await sql`update polls set votes_count = votes_count + ${by} where post_id = ${postId}::uuid`.execute(tx)
}
