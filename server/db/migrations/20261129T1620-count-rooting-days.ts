import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table traits drop constraint traits_source_check`.execute(db)
  await sql`
    alter table traits add constraint traits_source_check check (source in
      ('observation', 'log_height', 'log_rating', 'rooting_days', 'flower_days', 'wet_weight', 'dry_weight', 'wash_yield', 'lab'))`.execute(
    db,
  )
}
