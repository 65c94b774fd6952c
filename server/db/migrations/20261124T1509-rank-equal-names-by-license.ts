import { type Kysely, sql } from 'kysely'

/** Among businesses with the same name, the licensed one comes first, because the others may have copied it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index businesses_by_name_and_license on businesses (lower(name), (-license_trust), id)`.execute(db)
  await sql`drop index businesses_by_name`.execute(db)
}
