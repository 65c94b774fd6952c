import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table genotypes add column backup_holder text
    constraint backup_holder_is_named check (char_length(backup_holder) between 1 and 120)`.execute(db)
  // A hunt may have ten thousand phenotypes, of which a few are kept.
  await sql`create index genotypes_kept on genotypes (hunt_id) where standing in ('keep', 'breed')`.execute(db)
  await sql`create index plants_living_mothers on plants (hunt_id) where is_mother and ended_on is null`.execute(db)
}
