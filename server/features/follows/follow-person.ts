import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { changeFollowersCount, changeFollowingCount, lockPeople } from '../people/index.ts'
import { countFollow } from './count-follow.ts'
import { blocksBetween, deletePersonFollow, insertPersonFollow } from './follows.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/** Follows a person or ends that; where it is so already, nothing changes. @throws AppError forbidden, not_found, conflict */
export async function changePersonFollow(ctx: Ctx, followerId: string, personId: string, isFollowing: boolean) {
  if (followerId === personId) throw new AppError('forbidden', { message: 'You cannot follow yourself.' })
  await inTransaction(ctx.db, async (tx) => {
    // A block locks the same two rows: what is read below is not undone by one that is under way.
    const people = await lockPeople(tx, [followerId, personId])
    if (!people.has(personId)) throw absent()
    const blocks = await blocksBetween(tx, followerId, personId)
    // The own block is said first: it must not be told apart by whether the other one blocks too.
    if (blocks.byViewer && isFollowing) {
      throw new AppError('conflict', { message: 'You have blocked this person. Unblock them first, then follow them.' })
    }
    if (blocks.byPerson && !blocks.byViewer) throw absent()
    if (!isFollowing) return removePersonFollow(tx, followerId, personId)
    if (!(await insertPersonFollow(tx, followerId, personId, ctx.clock.now()))) return
    await countFollow(tx, followerId)
    await changeFollowersCount(tx, personId, 1)
    await ctx.events.publish(tx, 'person.followed', { personId, followerId })
  })
  return { id: personId, isFollowing }
}

const absent = () => notFound('This person is not here, or not visible to you.')

/** Ends a follow with its counts, if there is one. Both people are locked by the caller. */
export async function removePersonFollow(tx: Tx, followerId: string, personId: string): Promise<void> {
  if (!(await deletePersonFollow(tx, followerId, personId))) return
  await changeFollowingCount(tx, followerId, -1)
  await changeFollowersCount(tx, personId, -1)
}
