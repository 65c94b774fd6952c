import type { HeldFinding, ModerationCase } from '../../../contracts/moderation.ts'
import type { ReportReason, ReportSubject } from '../../../contracts/reports.ts'
import type { Db } from '../../db/connect.ts'
import type { CaseRow } from './cases.queries.ts'
import { communityOf } from './deeds.ts'
import { named, peopleById } from './people.ts'
import type { SubjectFacts, SubjectPreview, Subjects } from './subjects.ts'

const excerptLength = 280

/** Of a message a list shows no words: it is read in its case alone, where the look is noted. */
const isReadable = (subject: ReportSubject): boolean => subject !== 'message'

/** In the order of the rows. */
export async function toCases(db: Db, subjects: Subjects, actorId: string, rows: readonly CaseRow[], now: Date): Promise<ModerationCase[]> {
  const [people, previews, facts] = await Promise.all([
    peopleById(
      db,
      rows.flatMap((row) => [row.user_id, row.assigned_to]),
    ),
    previewsOf(
      db,
      subjects,
      rows.filter((row) => isReadable(row.subject)),
    ),
    Promise.all(rows.map((row) => subjects[row.subject].find(db, row.subject_id))),
  ])
  return rows.map((row, i) => {
    const preview = previews.get(row.id)
    return {
      ...toCase(row, facts[i], preview, actorId, now),
      person: (row.user_id && people.get(row.user_id)) || null,
      assignedTo: named(people, row.assigned_to),
    }
  })
}

function toCase(row: CaseRow, facts: SubjectFacts | undefined, preview: SubjectPreview | undefined, actorId: string, now: Date) {
  return {
    id: row.id,
    subject: row.subject,
    subjectId: row.subject_id,
    title: preview?.title ?? null,
    excerpt: excerpt(preview?.text ?? ''),
    path: preview?.path ?? null,
    community: communityOf(row),
    isForSite: row.is_for_site,
    source: row.source,
    findings: row.findings as HeldFinding[],
    reason: row.reason as ReportReason | null,
    reportsCount: row.reports_count,
    state: facts?.state ?? null,
    isThere: facts !== undefined,
    status: row.status,
    openedAt: row.opened_at.toISOString(),
    dueAt: row.due_at?.toISOString() ?? null,
    isOverdue: row.status === 'open' && row.due_at !== null && row.due_at < now,
    isMine: row.assigned_to === actorId,
    decidedAt: row.decided_at?.toISOString() ?? null,
  }
}

const excerpt = (text: string): string => (text.length > excerptLength ? `${text.slice(0, excerptLength).trimEnd()}…` : text)

/** By the case's id: a query for each kind of thing. */
async function previewsOf(db: Db, subjects: Subjects, rows: readonly CaseRow[]): Promise<Map<string, SubjectPreview>> {
  const kinds = [...new Set(rows.map((row) => row.subject))]
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const ofKind = rows.filter((row) => row.subject === kind)
      const previews = await subjects[kind].preview(
        db,
        ofKind.map((row) => row.subject_id),
      )
      return ofKind.flatMap((row) => {
        const preview = previews.get(row.subject_id)
        return preview ? [[row.id, preview] as const] : []
      })
    }),
  )
  return new Map(found.flat())
}
