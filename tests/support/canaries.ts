import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { tables } from '#server/features/own-data/map/index.ts'
import type { TestApp, TestPerson } from './test-app.ts'

/** Columns that code interprets and that no check constraint protects, so the canary isn't written to them. */
const fixed = new Set([
  ...[
    'users.email',
    'users.name',
    'sessions.token',
    'credentials.account_id',
    'credentials.provider_id',
    'credentials.password',
    'email_changes.old_email',
  ],
  ...['notification_settings.time_zone', 'media.extension', 'media.placeholder', 'team_invitations.email', 'hunt_events.kind'],
  ...['climate_imports.time_zone', 'traits.from_stage', 'traits.to_stage', 'verifications.identifier', 'checkouts.plan_id'],
  ...[
    'panel_cards.token_hash',
    'notifications.group_key',
    'passkeys.credential_id',
    'moderation_actions.reason',
    'moderation_cases.reason',
    'earlier_reports.subject',
    'earlier_reports.reason',
  ],
])
/** Conditions for tables in which some rows belong to a business. */
const ownRows: Record<string, string> = { posts: 'business_id is null', comments: 'business_id is null', messages: 'not is_from_business' }
/** Tables whose rows about a person may remain after erasure. */
const staying = new Set([
  'agreements',
  'audit_log',
  'communities',
  'hunt_proofs',
  'menu_imports',
  'media',
  'notifications',
  'payments',
  'billing_mails',
  'hunt_tasks',
])

/**
 * Writes the canary into the text columns of the person's rows that erasure clears. Returns where it was written, such as "posts.title".
 * Columns that reject it contain no free text.
 */
export async function writeCanaries({ db }: TestApp, person: TestPerson, canary: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, data_type as type from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'ARRAY') and is_generated = 'NEVER' order by 1, 2`.execute(db)
  const written: string[] = []
  for (const { table, column, type } of rows) {
    const map = tables[table]
    if (!map || typeof map.exported === 'string' || staying.has(table) || fixed.has(`${table}.${column}`)) continue
    if (Object.keys(map.people ?? {}).length === 0 && 'with' in map.erased && map.erased.with === 'hunts') continue
    const value = type === 'ARRAY' ? sql`array[${canary}]` : sql`${canary}`
    const whose = map.exported.whose(sql`${person.user.id}::uuid`)
    const also = sql.raw(ownRows[table] ?? 'true')
    const done = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${whose} and ${also}`
      .execute(db)
      .catch((error: { code?: string }) => {
        // Rejected by a check, a key, a length limit or a numeric list.
        if (['23514', '23505', '22001', '42804', '23503', '22P02'].includes(error.code ?? '')) return null
        throw error
      })
    if (done && Number(done.numAffectedRows) > 0) written.push(`${table}.${column}`)
  }
  return written
}

/** Columns that contain one of these words, including the job queue's, with the number of rows: "posts.title". */
export async function placesOf(db: Db, words: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ schema: string; table: string; columns: string[] }>`
    select table_schema as schema, table_name as table, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema in ('public', 'pgboss') group by 1, 2`.execute(db)
  const found: Record<string, number> = {}
  for (const { schema, table, columns } of rows) {
    const counts = columns.map((column) => {
      const isThere = sql.join(
        words.map((word) => sql`position(${word}::text in ${sql.ref(column)}::text) > 0`),
        sql` or `,
      )
      return sql`count(*) filter (where ${isThere})::int as ${sql.ref(column)}`
    })
    const { rows: counted } = await sql<Record<string, number>>`select ${sql.join(counts)} from ${sql.id(schema, table)}`.execute(db)
    const name = schema === 'public' ? table : `${schema}.${table}`
    for (const [column, count] of Object.entries(counted[0] ?? {})) if (count > 0) found[`${name}.${column}`] = count
  }
  return found
}

/** Files in a folder that have one of these words in their content or path. */
export const filesWith = (folder: string, words: readonly string[]): string[] =>
  fs.readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return []
    const file = path.join(entry.parentPath, entry.name)
    const content = fs.readFileSync(file)
    return words.some((word) => file.includes(word) || content.includes(word)) ? [file] : []
  })
