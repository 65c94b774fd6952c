import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who scored or logged in an imported hunt. These people have no account here, but are told apart because their scales differ.
  for (const [table, person] of [
    ['observations', 'observed_by'],
    ['grow_logs', 'author_id'],
  ] as const) {
    await sql`alter table ${sql.table(table)} add column scorer text,
      add constraint ${sql.ref(`${table}_scorer_is_named`)} check (char_length(scorer) between 1 and 120),
      add constraint ${sql.ref(`${table}_one_scorer`)} check (scorer is null or ${sql.ref(person)} is null)`.execute(db)
  }
}
