import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * Indexes a text column for `like '%…%'` with pg_trgm, if the database has it and allows its use. Without the index, queries return
 * the same results but read more rows.
 */
export async function addTrigramIndex(
  db: Kysely<unknown>,
  name: string,
  table: string,
  column: string,
  where?: RawBuilder<unknown>,
): Promise<void> {
  if (!(await canUseTrigrams(db))) return
  await sql`create extension if not exists pg_trgm`.execute(db)
  const some = where === undefined ? sql`` : sql` where ${where}`
  await sql`create index ${sql.id(name)} on ${sql.table(table)} using gin (${sql.ref(column)} gin_trgm_ops)${some}`.execute(db)
}

/** Checks for the right to create the extension, because a failed statement would roll back the whole migration. */
async function canUseTrigrams(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ usable: boolean }>`
    select installed is not null or (trusted and has_database_privilege(current_database(), 'create'))
      or (select rolsuper from pg_roles where rolname = current_user) as usable
    from (
      select trusted, (select extname from pg_extension where extname = 'pg_trgm') as installed
      from pg_available_extension_versions where name = 'pg_trgm'
      order by trusted desc limit 1
    ) as extension`.execute(db)
  return rows[0]?.usable ?? false
}
