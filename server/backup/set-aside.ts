import type pg from 'pg'

/**
 * Takes the foreign keys and the indexes of tables away; what it answers makes them again, which proves every reference. Tables that
 * point at each other can be filled in no order otherwise, and row by row it costs several times as much. Only within a
 * transaction: when the load fails, they were never gone. The owner of the tables may do this; it needs no superuser.
 */
export async function setAsideConstraints(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid in (${relations}) order by conrelid, conname`,
    [tables],
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid in (${relations}) and not exists (select from pg_constraint where conindid = indexrelid)
     order by indrelid, indexrelid`,
    [tables],
  )
  for (const { owner, name } of keys) await client.query(`alter table ${owner} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    // PostgreSQL describes the index of a table of partitions without those of the partitions, which come with it otherwise.
    for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '))
    for (const { owner, name, definition } of keys) await client.query(`alter table ${owner} add constraint ${name} ${definition}`)
  }
}

const relations = 'select oid from pg_class where relname = any($1) and relnamespace = current_schema()::regnamespace'
