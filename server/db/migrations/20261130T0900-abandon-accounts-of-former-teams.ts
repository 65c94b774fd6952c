import { type Kysely, sql } from 'kysely'

/**
 * Payments kept going to teams that gave up their business or lost it in a dispute, and to people who deleted their user account. The
 * nightly comparison cancels purchases through payment accounts that belong to no one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    with abandoned as (
      update business_payment_accounts accounts
      set connected_by = null, retired_at = coalesce(retired_at, now()),
        instructions = case when instructions is not null then '' end
      where connected_by is null
        or not exists (select from business_members where business_members.business_id = accounts.business_id)
        or not exists (
            select from business_members
            where business_members.business_id = accounts.business_id and business_members.user_id = accounts.connected_by)
          and exists (
            select from claims
            where claims.business_id = accounts.business_id and claims.is_dispute and claims.status = 'approved'
              and claims.decided_at > accounts.connected_at)
      returning id
    )
    update checkouts set status = 'expired' from abandoned where checkouts.account_id = abandoned.id and checkouts.status = 'open'`.execute(
    db,
  )
}
