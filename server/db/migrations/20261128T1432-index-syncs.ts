import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index menu_imports_of_source`.execute(db)
  await sql`
    create index menu_imports_of_source on menu_imports (source_id, created_at desc) where source_id is not null`.execute(db)
  // For the sweep every five minutes, which would otherwise read the whole history.
  await sql`
    create index menu_imports_unfinished on menu_imports (updated_at)
    where status in ('receiving', 'ready', 'running')`.execute(db)
  await sql`
    create index menu_syncs_by_age on menu_imports (updated_at) where kind <> 'file' or source_id is not null`.execute(db)
  // A point of sale repeats its calls all day, and each call drops the idle ones before it.
  await sql`
    create index menu_syncs_idle on menu_imports (business_id, finished_at)
    where kind <> 'file' and status = 'done'
      and items_added + items_changed + items_missing + items_removed + rows_refused = 0`.execute(db)
}
