import pg from 'pg'

type Column = {
  table: string
  name: string
  type: string
  isArray: boolean
  isNullable: boolean
  hasDefault: boolean
  /** Generated or an identity, so never written. */
  isComputed: boolean
}

/** Excluded tables: the migrator's, and the rate limiter's, which uses its own SQL. */
const foreignTables = ['kysely_migration', 'kysely_migration_lock', 'rate_limits']

/** TypeScript types of columns as connect.ts parses them and pg accepts them. */
const typeScript: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  citext: 'string',
  date: 'string',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'Json',
  jsonb: 'Json',
  numeric: 'number',
  text: 'string',
  timestamptz: 'Timestamp',
  tsvector: 'string',
  uuid: 'string',
  varchar: 'string',
}
/** Types that pg also parses as arrays. */
const elementTypes = new Set(['text', 'varchar', 'uuid', 'bool', 'int2', 'int4'])

export async function describeSchema(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return source(await columns(client), await choices(client))
  } finally {
    await client.end()
  }
}

async function columns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname as table, a.attname as name, coalesce(e.typname, t.typname) as type, e.oid is not null as "isArray",
       not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "hasDefault",
       a.attgenerated <> '' or a.attidentity = 'a' as "isComputed"
     from pg_attribute a
       join pg_class c on c.oid = a.attrelid
       join pg_type t on t.oid = a.atttypid
       left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition and a.attnum > 0 and not a.attisdropped
       and c.relname <> all($1)
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relname, a.attnum`,
    [foreignTables],
  )
  return rows
}

/** By table and column, from check constraints of the form `column in ('a', 'b')`. */
async function choices(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ table: string; definition: string }>(
    `select c.relname as table, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'c' and c.relnamespace = 'public'::regnamespace`,
  )
  const found = new Map<string, string>()
  for (const { table, definition } of rows) {
    const [, column, list] = /^CHECK \(\((\w+) = ANY \(ARRAY\[((?:'[^']+'::text(?:, )?)+)\]\)\)\)$/.exec(definition) ?? []
    if (column && list) found.set(`${table}.${column}`, (list.match(/'[^']+'/g) ?? []).join(' | '))
  }
  return found
}

function source(all: Column[], choices: Map<string, string>): string {
  const tables = Map.groupBy(all, (column) => column.table)
  const interfaces = [...tables].map(([table, own]) => {
    const lines = own.map((column) => `  ${column.name}: ${columnType(column, choices.get(`${table}.${column.name}`))}`)
    return `export interface ${pascalCase(table)} {\n${lines.join('\n')}\n}\n`
  })
  return `// Generated from the migrations by npm run db:schema. Do not edit.
import type { ColumnType } from 'kysely'

/** Has a default, so an insert may omit it. */
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** Computed by the database; never written. */
export type Computed<T> = ColumnType<T, never, never>
/** Written as text, because pg would turn a JavaScript array into a PostgreSQL array. */
export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>

${interfaces.join('\n')}
export interface DB {
${[...tables.keys()].map((table) => `  ${table}: ${pascalCase(table)}`).join('\n')}
}
`
}

function columnType(column: Column, choice: string | undefined): string {
  const element = choice ?? typeScript[column.type]
  if (!element || (column.isArray && !elementTypes.has(column.type))) {
    const type = column.isArray ? `${column.type}[]` : column.type
    throw new Error(`${column.table}.${column.name} has the type ${type}, for which describe-schema.ts has no TypeScript type.`)
  }
  const value = column.isArray ? `${element}[]` : element
  const type = column.isNullable ? `${value} | null` : value
  if (column.isComputed) return `Computed<${type}>`
  return column.hasDefault ? `Generated<${type}>` : type
}

const pascalCase = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
