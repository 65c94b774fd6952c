import type { Tx } from '../../db/connect.ts'
import { AppError } from '../../kernel/errors.ts'
import { changeFollowingCount } from '../people/index.ts'

/** People and businesses together: every read of a feed looks at all of them. */
export const mostFollowed = 10_000

/** Counts one more that somebody follows; above the most, the transaction ends with nothing done. @throws AppError conflict */
export async function countFollow(tx: Tx, userId: string): Promise<void> {
  if ((await changeFollowingCount(tx, userId, 1)) <= mostFollowed) return
  throw new AppError('conflict', {
    message: `You follow ${mostFollowed.toLocaleString('en-US')} already, the most there can be. Unfollow some first.`,
  })
}
