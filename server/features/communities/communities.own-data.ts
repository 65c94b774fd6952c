import { inTransaction } from '#server/db/transaction.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { lockCommunity } from './community-access.ts'
import { removeMember } from './memberships.queries.ts'

const batch = 50

/** Leaves every community. Owners must hand theirs over first; otherwise nothing is deleted. */
export const eraseMemberships: EraseStep = {
  name: 'memberships',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db
      .selectFrom('community_members')
      .select('community_id')
      .where('user_id', '=', userId)
      .where('role', '<>', 'owner')
      .limit(batch)
      .execute()
    for (const { community_id: communityId } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        await lockCommunity(tx, communityId, 'update')
        await removeMember(tx, communityId, userId, ctx.clock.now())
      })
    }
    return rows.length
  },
}
