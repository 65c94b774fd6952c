import { type Kysely, sql } from 'kysely'

/** When a person confirmed their age at the gate. Set for everyone who has completed onboarding or runs the site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column age_confirmed_at timestamptz(3)`.execute(db)
  await sql`update users set age_confirmed_at = created_at where has_completed_onboarding or role <> 'member'`.execute(db)
}
