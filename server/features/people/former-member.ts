import type { Tx } from '../../db/connect.ts'
import { formerMemberId } from '../../kernel/own-data.ts'

/** No address that anybody could register or be mailed at. */
const email = 'former member'

/** The row that stands for all who have left, made when it is first needed. Others see "Member", without a profile. */
export async function ensureFormerMember(tx: Tx, now: Date): Promise<string> {
  await tx
    .insertInto('users')
    .values({
      id: formerMemberId,
      email,
      name: '',
      is_profile_public: false,
      takes_messages_from: 'nobody',
      profile_moderation: 'removed',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return formerMemberId
}
