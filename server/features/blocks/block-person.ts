import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { endInvitationsBetween } from '../communities/index.ts'
import { removePersonFollow } from '../follows/index.ts'
import { endSharesBetween } from '../hunts/index.ts'
import { lockPeople } from '../people/index.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Blocks a person or ends that; where it is so already, nothing changes. A block ends the follows, the shares of hunts and open
 * invitations into communities in both directions. Whoever is blocked may block in turn: otherwise the other alone would decide when the two meet again.
 * @throws AppError forbidden, not_found
 */
export async function changePersonBlock(ctx: Ctx, blockerId: string, personId: string, isBlocked: boolean) {
  if (blockerId === personId) throw new AppError('forbidden', { message: 'You cannot block yourself.' })
  await inTransaction(ctx.db, async (tx) => {
    const people = await lockPeople(tx, [blockerId, personId])
    if (!people.has(personId)) throw notFound('This person is not here, or not visible to you.')
    if (isBlocked) {
      await tx
        .insertInto('person_blocks')
        .values({ blocker_id: blockerId, blocked_id: personId, created_at: ctx.clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await removePersonFollow(tx, blockerId, personId)
      await removePersonFollow(tx, personId, blockerId)
      await endSharesBetween(tx, blockerId, personId)
      await endInvitationsBetween(tx, blockerId, personId)
    } else {
      await tx.deleteFrom('person_blocks').where('blocker_id', '=', blockerId).where('blocked_id', '=', personId).execute()
    }
  })
  return { id: personId, isBlocked }
}
