import { type Kysely, sql } from 'kysely'

/** People who joined a team while a block stood between them and the business couldn't publish or answer there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, person] of [
    ['business_blocks', 'user_id'],
    ['business_person_blocks', 'person_id'],
  ] as const) {
    await sql`
      delete from ${sql.table(table)} blocked using business_members
      where business_members.business_id = blocked.business_id and business_members.user_id = blocked.${sql.ref(person)}`.execute(db)
  }
}
