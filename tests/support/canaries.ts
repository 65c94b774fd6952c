import { sql } from 'kysely'
import { tables } from '../../server/features/own-data/map/index.ts'
import type { TestApp, TestPerson } from './test-app.ts'

/** What no check holds, but a program reads. */
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
  ],
])
/** Of a table in which some rows are a business's. */
const ownRows: Record<string, string> = { posts: 'business_id is null', comments: 'business_id is null', messages: 'not is_from_business' }
/** What is about somebody and stays, without their words. */
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
 * The canary into every text that somebody's rows have room for. Answers where it was written: "posts.title". Where a column takes no
 * such word, it holds none of anybody's.
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
        // A check, a key, a length, a list of numbers.
        if (['23514', '23505', '22001', '42804', '23503', '22P02'].includes(error.code ?? '')) return null
        throw error
      })
    if (done && Number(done.numAffectedRows) > 0) written.push(`${table}.${column}`)
  }
  return written
}
