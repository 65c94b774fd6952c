import { type Kysely, sql } from 'kysely'

/** Speeds up the check of whether undoing an import would show a file again, which must then not be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['image_id', 'certificate_id']) {
    const value = sql`(before -> 'item' ->> ${sql.lit(column)})`
    await sql`
      create index ${sql.ref(`menu_import_changes_by_${column}`)} on menu_import_changes (${value}) where ${value} is not null`.execute(db)
  }
}
