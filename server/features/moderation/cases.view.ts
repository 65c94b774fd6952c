import type { ReportReason } from '#contracts/moderation.rules.ts'
import type { HeldFinding, ModerationCase } from '#contracts/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import type { SubjectFacts, SubjectPreview } from '#server/kernel/moderated-subject.ts'
import type { CaseRow } from './cases.queries.ts'
import { communityOf, named, peopleById } from './decisions.ts'
import { findSubjects, previewSubjects, type Subjects } from './subjects.ts'

const excerptLength = 280

/** Keeps the order of the rows. */
export async function toCases(db: Db, subjects: Subjects, actorId: string, rows: readonly CaseRow[], now: Date): Promise<ModerationCase[]> {
  // Messages are shown only on the case itself, which records who viewed them.
  const readable = rows.filter((row) => row.subject !== 'message')
  const [people, facts, previews] = await Promise.all([
    peopleById(
      db,
      rows.flatMap((row) => [row.user_id, row.assigned_to]),
    ),
    findSubjects(db, subjects, rows),
    previewSubjects(db, subjects, readable),
  ])
  const previewOf = new Map(readable.map((row, i) => [row, previews[i]]))
  return rows.map((row, i) => ({
    ...toCase(row, facts[i], previewOf.get(row), actorId, now),
    person: (row.user_id && people.get(row.user_id)) || null,
    assignedTo: named(people, row.assigned_to),
  }))
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
