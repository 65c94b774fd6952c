import { type Kysely, sql } from 'kysely'

/** Deleting an account or a business (imports delete thousands of listings) checks each table that refers to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index agreements_replacing on agreements (replaces) where replaces is not null`.execute(db)
  await sql`create index checkouts_of_agreement on checkouts (agreement_id) where agreement_id is not null`.execute(db)
  await sql`create index checkouts_replacing on checkouts (replaces) where replaces is not null`.execute(db)
  await sql`create index checkouts_for_business on checkouts (business_id) where business_id is not null`.execute(db)
  await sql`create index checkouts_to_business on checkouts (subscribe_to) where subscribe_to is not null`.execute(db)
  await sql`create index claims_by_decider on claims (decided_by) where decided_by is not null`.execute(db)
  await sql`create index license_approvals_of_user on license_approvals (user_id)`.execute(db)
  await sql`create index license_verifications_by_requester on license_verifications (requested_by) where requested_by is not null`.execute(
    db,
  )
  await sql`create index menu_imports_of_user on menu_imports (user_id)`.execute(db)
}
