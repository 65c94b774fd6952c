import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A check clone is an entry of its own kind: it makes runs comparable and is never ranked.
  await sql`alter table genotypes add column kind text not null default 'seed' check (kind in ('seed', 'check'))`.execute(db)
  await sql`alter table genotypes add constraint checks_are_not_decided_about check (kind = 'seed' or standing is null)`.execute(db)

  // Which phenotypes compete to be kept.
  await sql`alter table hunts add column selects_males boolean not null default false`.execute(db)
  await sql`alter table hunts add column ranks_harvested boolean not null default false`.execute(db)

  // What rules a phenotype out: { min, max, not }, or null.
  await sql`alter table traits add column must jsonb check (must is null or jsonb_typeof(must) = 'object')`.execute(db)
}
