import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReportReason } from '#contracts/moderation.rules.ts'
import type { HeldFinding, ModerationCase } from '#contracts/moderation.ts'
import { hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newestAfter } from '#server/kernel/keyset.ts'
import type { SubjectFacts, SubjectPreview } from '#server/kernel/moderated-subject.ts'
import type { NotifiedSubject } from '#server/kernel/notified-subject.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { communityOf, deletedCommunity, named, peopleById } from './decisions.ts'
import { areOwn, type ModeratorScope } from './may-act.ts'
import { findSubjects, previewSubjects, type Subjects } from './subjects.ts'

export type CaseRow = NonNullable<Awaited<ReturnType<typeof caseRow>>>

const cases = (db: Db) =>
  db
    .selectFrom('moderation_cases')
    .leftJoin('communities', 'communities.id', 'moderation_cases.community_id')
    .selectAll('moderation_cases')
    .select(['communities.slug as community_slug', 'communities.name as community_name'])

export const caseRow = (db: Db, id: string) => cases(db).where('moderation_cases.id', '=', id).executeTakeFirst()

export const lockCase = (tx: Tx, id: string) =>
  tx.selectFrom('moderation_cases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Call before the community is erased, which takes a while. */
export const leaveCasesToSite = (tx: Tx, community: Locked<'communities'>) =>
  tx.updateTable('moderation_cases').set({ community_id: null }).where('community_id', '=', community).execute()

/** Hours after which a community's undecided cases also appear in the site's queue. */
const leftForHours = 72

export const inQueueOf = (moderatorScope: ModeratorScope, now: Date): RawBuilder<SqlBool> =>
  moderatorScope.actsFor === 'community'
    ? sql<SqlBool>`(community_id = ${moderatorScope.communityId}::uuid and not is_for_site and subject <> 'message')`
    : sql<SqlBool>`(community_id is null or is_for_site or opened_at < ${new Date(now.getTime() - leftForHours * hourMs)}
      or ${isByItsModerators})`

/** Content by a community's own moderators that a filter held is in both queues, because the community may have no one else to decide. */
const isByItsModerators = sql<SqlBool>`exists (select from community_members author
  where author.community_id = moderation_cases.community_id and author.user_id = moderation_cases.user_id and author.role <> 'member')`

export type CaseFilter = {
  moderatorScope: ModeratorScope
  now: Date
  kind: 'reports' | 'held' | undefined
  mineOf: string | null
  limit: number
}

/** Includes cases whose reporters have deleted their accounts. */
export const isReported = sql<SqlBool>`(reports_count > 0 or source <> 'filter')`

const filtered = (db: Db, { moderatorScope, now, kind, limit }: CaseFilter) =>
  cases(db)
    .where(inQueueOf(moderatorScope, now))
    .$if(kind === 'reports', (query) => query.where(isReported))
    .$if(kind === 'held', (query) => query.where('source', '=', 'filter'))
    .limit(limit)

type AfterOpen = { due: Date | null; openedAt: string; id: string } | null

/** Cases with a due date first, then oldest first. */
export const openCases = (db: Db, filter: CaseFilter, after: AfterOpen) => {
  const later = sql<SqlBool>`(opened_at, moderation_cases.id) > (${after?.openedAt}::timestamptz, ${after?.id}::uuid)`
  const afterDue = sql<SqlBool>`(due_at is null or due_at > ${after?.due} or (due_at = ${after?.due} and ${later}))`
  return filtered(db, filter)
    .where('status', '=', 'open')
    .$if(filter.mineOf !== null, (query) => query.where('assigned_to', '=', filter.mineOf))
    .$if(after !== null && after.due === null, (query) => query.where('due_at', 'is', null).where(later))
    .$if(after !== null && after.due !== null, (query) => query.where(afterDue))
    .orderBy('due_at')
    .orderBy('opened_at')
    .orderBy('moderation_cases.id')
    .execute()
}

export const decidedCases = (db: Db, filter: CaseFilter, after: readonly [decidedAt: string, id: string] | null) =>
  filtered(db, filter)
    .where('status', '=', 'decided')
    .$if(filter.mineOf !== null, (query) => query.where('decided_by', '=', filter.mineOf))
    .$call((rows) => newestAfter(rows, 'decided_at', 'moderation_cases.id', after))
    .execute()

/** The second has decided reports by people who have reported the same again since. */
export const reportTables = ['reports', 'earlier_reports'] as const

type CaseReport = { id: string; reporter_id: string; reason: string; details: string; created_at: Date }

/** Includes reports by people who have reported the same again since the decision. */
export async function reportsOf(db: Db, caseId: string): Promise<CaseReport[]> {
  const filed = (table: (typeof reportTables)[number]) =>
    sql`select id, reporter_id, reason, details, created_at from ${sql.table(table)} where case_id = ${caseId}::uuid`
  const { rows } = await sql<CaseReport>`
    ${filed('reports')} union all ${filed('earlier_reports')} order by created_at desc, id desc limit 50`.execute(db)
  return rows
}

export type NotifiedDecision = { action: string; subject: string; community: string | null; isUndone: boolean; isOverturned: boolean }

export const notifiedDecisions: NotifiedSubject<NotifiedDecision> = (asked) => sql`
  select asked.id, jsonb_build_object('action', actions.action, 'subject', actions.subject, 'isUndone', actions.undone_at is not null,
    'community', case when actions.community_id is not null then
      coalesce((select name from communities where communities.id = actions.community_id), ${deletedCommunity}::text) end,
    'isOverturned', exists (select from moderation_appeals a where a.action_id = actions.id and a.outcome = 'overturned')) as facts
  from ${asked} asked join moderation_actions actions on actions.id = asked.moderation_action_id`

const excerptLength = 280

/** Keeps the order of the rows. Those whom a case is about, or whose business it is about, don't see who has claimed it. */
export async function toCases(db: Db, subjects: Subjects, actorId: string, rows: readonly CaseRow[], now: Date): Promise<ModerationCase[]> {
  // Messages are shown only on the case itself, which logs who viewed them.
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
  const areAboutActor = await areOwn(
    db,
    actorId,
    rows.map((row, i) => ({ row, facts: facts[i] })),
  )
  return rows.map((row, i) => ({
    ...toCase(row, facts[i], previewOf.get(row), actorId, now),
    person: (row.user_id && people.get(row.user_id)) || null,
    assignedTo: areAboutActor[i] && row.assigned_to !== actorId ? null : named(people, row.assigned_to),
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

export const excerpt = (text: string): string => (text.length > excerptLength ? `${text.slice(0, excerptLength).trimEnd()}…` : text)

const batch = 100

async function deleteReportsBy(tx: Tx, name: (typeof reportTables)[number], userId: string) {
  const table = sql.table(name)
  const { rows } = await sql<{ case_id: string | null }>`
    delete from ${table} where id in (select id from ${table} where reporter_id = ${userId}::uuid limit ${batch}::int)
    returning case_id`.execute(tx)
  return rows
}

/**
 * Erases reports by and about a person, and findings about them. Open cases about content that a business keeps remain, without the person.
 * The public log still lists the actions with their time and reason, but without the person or the subject.
 */
export const eraseCases = (subjects: Subjects): EraseStep => ({
  name: 'cases',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const own = [...(await deleteReportsBy(tx, 'reports', userId)), ...(await deleteReportsBy(tx, 'earlier_reports', userId))]
      for (const { case_id } of own) {
        if (case_id === null) continue
        await sql`update moderation_cases set reports_count = reports_count - 1 where id = ${case_id}::uuid and reports_count > 0`.execute(
          tx,
        )
      }
      const about = await sql<Pick<CaseRow, 'id' | 'subject' | 'subject_id' | 'status'>>`
        select id, subject, subject_id, status from moderation_cases where user_id = ${userId}::uuid or (subject = 'person' and subject_id = ${userId}::uuid)
        limit ${batch}::int for update`.execute(tx)
      const facts = await findSubjects(tx, subjects, about.rows)
      const isKept = ({ status }: { status: string }, i: number) => status === 'open' && facts[i]?.businessId != null
      const { kept = [], erased = [] } = Object.groupBy(about.rows, (row, i) => (isKept(row, i) ? 'kept' : 'erased'))
      await sql`update moderation_cases set user_id = null where id = any(${idsOf(kept)}::uuid[])`.execute(tx)
      const cases = idsOf(erased)
      const isAbout = sql`case_id = any(${cases}::uuid[]) or (subject = 'person' and subject_id = ${userId}::uuid)`
      const reports = await sql`delete from reports where ${isAbout}`.execute(tx)
      const earlier = await sql`delete from earlier_reports where ${isAbout}`.execute(tx)
      const actions = await sql<{ id: string }>`
        select id from moderation_actions where user_id = ${userId}::uuid or (subject = 'person' and subject_id = ${userId}::uuid)
        limit ${batch}::int for update`.execute(tx)
      const ids = actions.rows.map(({ id }) => id)
      await sql`delete from moderation_effects where action_id = any(${ids}::uuid[])`.execute(tx)
      await sql`delete from moderation_appeals where action_id = any(${ids}::uuid[]) and user_id = ${userId}::uuid`.execute(tx)
      await sql`
        update moderation_actions set explanation = '', note = '', undo_reason = '', user_id = null, case_id = null, subject_id = id
        where id = any(${ids}::uuid[])`.execute(tx)
      await sql`delete from moderation_cases where id = any(${cases}::uuid[])`.execute(tx)
      const decided = await sql`update moderation_appeals set moderator_id = null where moderator_id = ${userId}::uuid`.execute(tx)
      const counts = [reports, earlier, decided].map(({ numAffectedRows = 0n }) => Number(numAffectedRows))
      return own.length + about.rows.length + ids.length + counts.reduce((sum, count) => sum + count, 0)
    }),
})
