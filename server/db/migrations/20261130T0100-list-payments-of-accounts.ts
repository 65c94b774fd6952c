import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Owners list the payments of their own invoices, newest first.
  await sql`create index payments_of_account on payments (account_id, paid_at desc, id desc) where account_id is not null`.execute(db)
  await sql`drop index payments_by_account`.execute(db)
}
