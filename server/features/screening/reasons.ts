import { sql } from 'kysely'
import type { HeldFinding } from '../../../contracts/moderation.ts'
import type { ReportSubject } from '../../../contracts/reports.ts'
import type { Db } from '../../db/connect.ts'

type Row = { id: string; moderation: string | null }

/** Why those of them that are held wait for a moderator, in sentences for their writers. Asks nothing where none is. */
export async function reasonsOf(db: Db, subject: ReportSubject, rows: readonly Row[]): Promise<Map<string, string[]>> {
  const ids = rows.filter(({ moderation }) => moderation === 'held').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const cases = await db
    .selectFrom('moderation_cases')
    .select(['subject_id', 'findings'])
    .where('subject', '=', subject)
    .where(sql<boolean>`subject_id = any(${ids}::uuid[])`)
    .where('status', '=', 'open')
    .execute()
  return new Map(cases.map((row) => [row.subject_id, (row.findings as HeldFinding[]).flatMap(({ says }) => says ?? [])]))
}
