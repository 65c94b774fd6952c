import { type SqlBool, sql } from 'kysely'
import type { HeldFinding } from '../../../contracts/moderation.ts'
import type { HeldThing } from '../../../contracts/standing.ts'
import type { Db } from '../../db/connect.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { findSubjects, previewSubjects, type SubjectPreview, type Subjects } from './subjects.ts'

/**
 * What somebody wrote and a filter holds, newest first. No list that others read has it, so that without this one its writer would have to
 * remember its address. What is no longer theirs, or not there any more, is left out of its page.
 */
export async function listHeldThings(
  db: Db,
  subjects: Subjects,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<HeldThing>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('moderation_cases')
    .select(['id', 'subject', 'subject_id', 'findings', 'opened_at'])
    .where('user_id', '=', userId)
    .where('status', '=', 'open')
    .where('source', '=', 'filter')
    .$if(after !== null, (query) => query.where(sql<SqlBool>`(opened_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`))
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.opened_at.toISOString(), row.id])
  const facts = await findSubjects(db, subjects, items)
  const shown = items.filter((_, i) => facts[i]?.state === 'held' && facts[i].userId === userId)
  const previews = await previewSubjects(db, subjects, shown)
  return { items: shown.map((row, i) => toHeldThing(row, previews[i])), nextCursor }
}

type Row = { id: string; subject: HeldThing['subject']; findings: unknown; opened_at: Date }

const toHeldThing = (row: Row, preview: SubjectPreview | undefined): HeldThing => ({
  id: row.id,
  subject: row.subject,
  title: preview?.title ?? null,
  path: preview?.path ?? null,
  heldFor: (row.findings as HeldFinding[]).flatMap(({ says }) => says ?? []),
  since: row.opened_at.toISOString(),
})
