import { sql } from 'kysely'
import type { EraseStep } from '#server/kernel/own-data.ts'

/** Runs before the teams are deleted: businesses with no other team members become unclaimed, with their content. */
export const releaseListings: EraseStep = {
  name: 'listings',
  async eraseSome(ctx, { id: userId }) {
    const { numAffectedRows = 0n } = await sql`
      update businesses set claimed_at = null, updated_at = ${ctx.clock.now()}::timestamptz
      where claimed_at is not null
        and id in (select business_id from business_members where user_id = ${userId}::uuid and role = 'owner')
        and not exists (
          select from business_members others where others.business_id = businesses.id and others.user_id <> ${userId}::uuid)`.execute(
      ctx.db,
    )
    return Number(numAffectedRows)
  },
}
