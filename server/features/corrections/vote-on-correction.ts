import type { Correction } from '#contracts/corrections.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type CorrectableListing, lockFacts } from '#server/features/businesses/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isConfirmed, voteRefusal } from './corrections.policy.ts'
import { type CorrectionRow, lockCorrection, saveVote, voterAt, votesOf } from './corrections.queries.ts'
import { viewCorrection } from './corrections.view.ts'
import { applyCorrection, requireCorrection } from './settle-correction.ts'

type Ctx = Pick<Context, 'clock' | 'events'>

/**
 * Records whether a person finds a correction right. Idempotent. If no one runs the business, the first agreement applies it, unless
 * someone disagreed.
 * @throws AppError not_found, muted, forbidden for its author, the team, blocked people and new accounts, conflict once it is settled
 */
export async function voteOnCorrection(
  ctx: Ctx & Pick<Context, 'db' | 'cache'>,
  actor: Actor,
  id: string,
  agrees: boolean,
): Promise<Correction> {
  const now = ctx.clock.now()
  const found = await requireCorrection(ctx, actor, id)
  const row = await inTransaction(ctx.db, async (tx) => {
    const listing = await lockFacts(tx, found.business_id)
    return castVote(tx, ctx, actor, { correction: await lockCorrection(tx, id), listing, agrees, now })
  })
  if (row.state === 'applied') ctx.cache.invalidate('businesses')
  return viewCorrection(ctx.db, actor, row, now)
}

type Vote = { correction: CorrectionRow; listing: CorrectableListing; agrees: boolean; now: Date }

/** The caller has locked the listing. Returns the correction as it is then. */
export async function castVote(tx: Tx, ctx: Ctx, actor: Actor, { correction, listing, agrees, now }: Vote): Promise<CorrectionRow> {
  const voter = await voterAt(tx, actor.id, listing.id)
  const isAuthor = correction.user_id === actor.id
  const refusal = voteRefusal({ ...voter, isAuthor, isMuted: actor.mutedUntil !== null }, now)
  if (refusal !== null) throw new AppError('forbidden', { message: refusal })
  const before = (await votesOf(tx, [correction.id], actor.id))(correction.id)
  if (before.yourVote === agrees) return correction
  if (correction.state !== 'open') throw new AppError('conflict', { message: 'This suggestion was already settled.' })
  await saveVote(tx, { correctionId: correction.id, userId: actor.id, agrees }, now)
  const votes = (await votesOf(tx, [correction.id], actor.id))(correction.id)
  if (!isConfirmed({ kind: correction.value.kind, isClaimed: listing.claimed_at !== null, ...votes })) return correction
  return applyCorrection(tx, ctx, { correction, as: 'members', actorId: actor.id, now })
}
