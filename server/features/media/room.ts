import type { Tx } from '../../db/connect.ts'
import { AppError } from '../../kernel/errors.ts'
import { unattached } from './media.queries.ts'

/** What one person may have lying here that nothing shows. */
const maxUnattachedBytes = 200 * 1024 * 1024
/** Files of one person that arrive or are worked on: a few broken ones that take long must not keep everybody else's waiting. */
const mostUnfinished = 50

/** For another file of this person, an upload or a picture of another site. @throws AppError conflict */
export async function requireRoom(tx: Tx, ownerId: string, byteSize: number): Promise<void> {
  const { bytes, unfinished } = await unattached(tx, ownerId)
  if (bytes + byteSize > maxUnattachedBytes) {
    throw new AppError('conflict', {
      message: `You have ${maxUnattachedBytes / 1024 / 1024} MB of pictures and videos here that no post shows. Publish or remove some first; what is not used is removed after a day.`,
    })
  }
  if (unfinished >= mostUnfinished) {
    throw new AppError('conflict', {
      message: `${mostUnfinished} of your pictures and videos are not ready yet. Wait for them, or remove some.`,
    })
  }
}
