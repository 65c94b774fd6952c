import { type Kysely, sql } from 'kysely'

/** Of businesses with the same name, the licensed one comes first: it may have been copied. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index businesses_by_name_and_license on businesses (lower(name), (-license_trust), id)`.execute(db)
  await sql`drop index businesses_by_name`.execute(db)
}
