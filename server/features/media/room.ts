import type { Tx } from '#server/db/connect.ts'
import { AppError } from '#server/kernel/errors.ts'
import { unattached } from './media.queries.ts'

const maxUnattachedBytes = 200 * 1024 * 1024
/** Limit of a person's unfinished files: a few slow, broken ones must not hold up everyone else's. */
const maxUnfinished = 50

/** Checks the limits before another upload or fetch. @throws AppError conflict */
export async function requireRoom(tx: Tx, ownerId: string, byteSize: number): Promise<void> {
  const { bytes, unfinished } = await unattached(tx, ownerId)
  if (bytes + byteSize > maxUnattachedBytes) {
    throw new AppError('conflict', {
      message: `You have ${maxUnattachedBytes / 1024 / 1024} MB of pictures and videos that no post shows. Publish or remove some first; unused ones are removed after a day.`,
    })
  }
  if (unfinished >= maxUnfinished) {
    throw new AppError('conflict', {
      message: `${maxUnfinished} of your pictures and videos are not ready yet. Wait for them, or remove some.`,
    })
  }
}
