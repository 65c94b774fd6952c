import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { lockBusiness } from './change-team.ts'
import { revokeInvitations, revokeInvitationsBy } from './invitations.queries.ts'
import { removeMember, roleOf, setRole } from './members.queries.ts'

const batch = 50

/**
 * Leaves every team. Owners have transferred shared businesses before. If someone has joined since, the longest-serving member becomes the
 * owner, managers first.
 */
export const eraseTeams: EraseStep = {
  name: 'teams',
  async eraseSome(ctx, { id: userId, email }) {
    const rows = await ctx.db.selectFrom('business_members').select('business_id').where('user_id', '=', userId).limit(batch).execute()
    for (const { business_id: businessId } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        await lockBusiness(tx, businessId)
        // Another process may be deleting the same account.
        const role = await roleOf(tx, businessId, userId)
        if (!role) return
        const at = ctx.clock.now()
        await removeMember(tx, businessId, userId)
        await revokeInvitationsBy(tx, businessId, userId, at)
        if (role === 'owner') await passOn(tx, businessId, at)
        const entry = { actorId: userId, action: 'team.left', subjectType: 'user', subjectId: userId } as const
        await recordAudit(tx, { ...entry, at, businessId, details: { role } })
      })
    }
    const invitations = await ctx.db.deleteFrom('team_invitations').where('email', '=', email).executeTakeFirstOrThrow()
    if (rows.length > 0) ctx.cache.invalidate('businesses')
    return rows.length + Number(invitations.numDeletedRows)
  },
}

async function passOn(tx: Tx, businessId: string, now: Date): Promise<void> {
  const next = await tx
    .selectFrom('business_members')
    .select('user_id')
    .where('business_id', '=', businessId)
    .orderBy((eb) => eb.case().when('role', '=', 'manager').then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst()
  if (next) await setRole(tx, businessId, next.user_id, 'owner')
  else await revokeInvitations(tx, businessId, now)
}
