import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import type { NotifiedSubject } from '#server/kernel/notified-subject.ts'
import type { ModeratorScope } from './may-act.ts'

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

/** After this long, a community's undecided cases appear in the site's queue too. */
const leftForHours = 72

export const inQueueOf = (moderatorScope: ModeratorScope, now: Date): RawBuilder<SqlBool> =>
  moderatorScope.actsFor === 'community'
    ? sql<SqlBool>`(community_id = ${moderatorScope.communityId}::uuid and not is_for_site and subject <> 'message')`
    : sql<SqlBool>`(community_id is null or is_for_site or opened_at < ${new Date(now.getTime() - leftForHours * 3_600_000)})`

export type CaseFilter = {
  moderatorScope: ModeratorScope
  now: Date
  kind: 'reports' | 'held' | undefined
  mineOf: string | null
  limit: number
}

const filtered = (db: Db, { moderatorScope, now, kind, limit }: CaseFilter) =>
  cases(db)
    .where(inQueueOf(moderatorScope, now))
    .$if(kind === 'reports', (query) => query.where(sql<SqlBool>`(reports_count > 0 or source = 'check')`))
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

/** Newest decision first. */
export const decidedCases = (db: Db, filter: CaseFilter, after: readonly [decidedAt: string, id: string] | null) =>
  filtered(db, filter)
    .where('status', '=', 'decided')
    .$if(filter.mineOf !== null, (query) => query.where('decided_by', '=', filter.mineOf))
    .$if(after !== null, (query) =>
      query.where(sql<SqlBool>`(decided_at, moderation_cases.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('decided_at', 'desc')
    .orderBy('moderation_cases.id', 'desc')
    .execute()

export const reportsOf = (db: Db, caseId: string) =>
  db
    .selectFrom('reports')
    .select(['id', 'reporter_id', 'reason', 'details', 'created_at'])
    .where('case_id', '=', caseId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute()

export type NotifiedDecision = { action: string; subject: string; isUndone: boolean; isOverturned: boolean }

export const notifiedDecisions: NotifiedSubject<NotifiedDecision> = (asked) => sql`
  select asked.id, jsonb_build_object('action', actions.action, 'subject', actions.subject, 'isUndone', actions.undone_at is not null,
    'isOverturned', exists (select from moderation_appeals a where a.action_id = actions.id and a.outcome = 'overturned')) as facts
  from ${asked} asked join moderation_actions actions on actions.id = asked.moderation_action_id`
