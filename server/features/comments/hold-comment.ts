import type { Tx } from '../../db/connect.ts'
import { holdForReview } from '../moderation/index.ts'
import type { Verdict } from '../screening/index.ts'

/** A moderator looks at it first: of the community that it stands in, or of the site. */
export const holdComment = (
  tx: Tx,
  comment: { id: string; author_id: string },
  communityId: string | null,
  { findings }: Verdict,
  now: Date,
): Promise<string> =>
  holdForReview(tx, { subject: 'comment', subjectId: comment.id, userId: comment.author_id, communityId, findings, now })
