import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['verification_id', 'webhook_id', 'menu_source_id', 'draft_id']) {
    await sql`
      create index ${sql.ref(`notifications_of_${column.replace('_id', '')}`)} on notifications (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db)
  }
}
