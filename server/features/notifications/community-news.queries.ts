import type { Tx } from '../../db/connect.ts'

export const requestOf = (tx: Tx, communityId: string, userId: string) =>
  tx
    .selectFrom('community_requests')
    .select('created_at')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export async function moderatorsOf(tx: Tx, communityId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('community_members')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('role', '<>', 'member')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** As long as it is open. */
export const invitationOf = (tx: Tx, invitationId: string) =>
  tx
    .selectFrom('community_invitations')
    .select(['community_id', 'invited_id', 'invited_by', 'created_at'])
    .where('id', '=', invitationId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

export const acceptedAnswerOf = (tx: Tx, postId: string) =>
  tx
    .selectFrom('posts')
    .innerJoin('comments', 'comments.id', 'posts.accepted_comment_id')
    .select(['comments.id as comment_id', 'comments.author_id as answered_by', 'comments.created_at', 'posts.author_id as asked_by'])
    .where('posts.id', '=', postId)
    .where('comments.is_deleted', '=', false)
    .executeTakeFirst()
