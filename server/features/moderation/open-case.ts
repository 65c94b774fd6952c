import { sql } from 'kysely'
import type { Topic } from '#compliance/rules.ts'
import { type ReportReason, reasonOf, reportReasons } from '#contracts/moderation.rules.ts'
import { hoursToDecide, type ReportSubject } from '#contracts/moderation.ts'
import { dayMs, hourMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'

type About = {
  subject: ReportSubject
  subjectId: string
  userId: string | null
  /** Whose team may not decide it, even once the content is gone. */
  businessId: string | null
  communityId: string | null
  now: Date
}

// A literal, not a parameter: a generic plan could not use the partial index.
const isOpen = sql<boolean>`status = 'open'`

type Hold = About & {
  /** The rules that held the content. Explanations are fixed texts and never quote the author. */
  findings: readonly { rule: Topic; says?: string }[]
}

type Flag = About & { finding: { rule: string; says: string; path: string } }

const gravestFirst = reportReasons.toSorted((one, other) => reasonOf(other).gravity - reasonOf(one).gravity)

/** Only the site's moderators decide on some rules; otherwise, a community's moderators could approve their members' sales. */
const isRuleForSite: Record<Topic, boolean> = {
  sale: true,
  minors: true,
  health: false,
  giveaway: false,
  phone: false,
  link: false,
  repeat: false,
  license_number: false,
  age_notice: false,
  license: false,
}

/**
 * Opens a review case, or updates the open one, for content a filter held. Call after marking the content as `held` in the same
 * transaction. Notifies the author once per item. Returns the case's ID.
 */
export async function holdForReview(tx: Tx, ctx: Pick<Context, 'events'>, { findings, ...about }: Hold): Promise<string> {
  const found = JSON.stringify(findings.map(({ rule, says }) => ({ rule, says: says ?? null })))
  // Another moderator of the community may release its moderators' held content: see may-act.ts.
  const isForSite = findings.some(({ rule }) => isRuleForSite[rule]) || isOutsideCommunities(about)
  const { id } = await tx
    .insertInto('moderation_cases')
    .values({ ...opened(about), source: 'filter', is_for_site: isForSite, findings: found })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'subject_id'])
        .where(isOpen)
        // Held content was edited: keep only the filter's findings on the latest version.
        .doUpdateSet({
          // Keeps findings of automated checks, which have a path.
          findings: sql`${found}::jsonb || (select coalesce(jsonb_agg(finding), '[]') from jsonb_array_elements(moderation_cases.findings) finding
            where finding ->> 'path' is not null)`,
          source: 'filter',
          // A teammate may have edited it.
          user_id: sql`excluded.user_id`,
          ...keptBusiness,
          is_for_site: sql<boolean>`moderation_cases.is_for_site or excluded.is_for_site`,
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.events.publish(tx, 'content.held', { caseId: id })
  return id
}

/** Cases that a server of the previous release opened don't have their business yet. */
const keptBusiness = { business_id: sql<string | null>`coalesce(moderation_cases.business_id, excluded.business_id)` }

/** Opens a case, or adds to the open one, for content an automated check flagged. The content is still visible. */
export async function flagForReview(tx: Tx, { finding, ...about }: Flag): Promise<void> {
  await tx
    .insertInto('moderation_cases')
    .values({ ...opened(about), source: 'check', is_for_site: isForSiteAnyway(about), findings: JSON.stringify([finding]) })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'subject_id'])
        .where(isOpen)
        .doUpdateSet({
          findings: sql`case when moderation_cases.findings @> excluded.findings
            then moderation_cases.findings else moderation_cases.findings || excluded.findings end`,
          ...keptBusiness,
        }),
    )
    .execute()
}

type Report = About & { reporterId: string; reason: ReportReason; details: string; editedAt: Date | null }

/** For a week after a decision, a reporter can't bring the same unchanged content before moderators again, except for grave reasons. */
const restMs = 7 * dayMs
const withoutRest: readonly ReportReason[] = ['minors', 'intimate_image']

/**
 * Files a report, opening a case or joining the open one. Reporting again replaces the reporter's earlier report. If that was already
 * decided, the report counts as a new one, and the earlier one stays with its case.
 * @throws AppError conflict within a week of the decision, unless the reason is grave or the content was edited since, as far as edits have a time
 */
export async function openReportCase(tx: Tx, { reporterId, reason, details, editedAt, ...about }: Report): Promise<void> {
  const report = await lockReport(tx, { reporterId, reason, details, ...about })
  const { now } = about
  const resolvedAt = report.resolved_at
  if (resolvedAt !== null && !withoutRest.includes(reason) && now < new Date(resolvedAt.getTime() + restMs)) {
    if (editedAt === null || editedAt <= resolvedAt) {
      throw new AppError('conflict', {
        message:
          'Moderators decided on your earlier report less than a week ago. Once a week has passed, you can report this again, or now if it’s about minors or an intimate image.',
      })
    }
  }
  const isNew = report.case_id === null || resolvedAt !== null
  if (resolvedAt !== null) await keepWithCase(tx, report.id)
  const caseId = await joinCase(tx, { ...about, reason, isNew })
  const renewed = resolvedAt === null ? {} : { created_at: now, resolved_at: null }
  await tx
    .updateTable('reports')
    .set({ reason, details, case_id: caseId, ...renewed })
    .where('id', '=', report.id)
    .execute()
}

/** Finds or creates the reporter's single report on the subject and locks it. */
async function lockReport(tx: Tx, { reporterId, subject, subjectId, reason, details, now }: Omit<Report, 'editedAt'>) {
  await tx
    .insertInto('reports')
    .values({ id: newId(), reporter_id: reporterId, subject, subject_id: subjectId, reason, details, created_at: now })
    .onConflict((conflict) => conflict.columns(['reporter_id', 'subject', 'subject_id']).doNothing())
    .execute()
  return tx
    .selectFrom('reports')
    .select(['id', 'case_id', 'resolved_at'])
    .where('reporter_id', '=', reporterId)
    .where('subject', '=', subject)
    .where('subject_id', '=', subjectId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

const keepWithCase = (tx: Tx, id: string) =>
  sql`
  insert into earlier_reports (id, case_id, reporter_id, subject, subject_id, reason, details, created_at, resolved_at)
  select ${newId()}::uuid, case_id, reporter_id, subject, subject_id, reason, details, created_at, resolved_at
  from reports where id = ${id}::uuid and case_id is not null`.execute(tx)

type Joining = About & { reason: ReportReason; isNew: boolean }

async function joinCase(tx: Tx, { reason, isNew, ...about }: Joining): Promise<string> {
  const isForSite = sql<boolean>`(${reasonOf(reason).isForSite}::boolean or ${isForSiteAnyway(about)})`
  const due = reason === 'intimate_image' ? new Date(about.now.getTime() + hoursToDecide * hourMs) : null
  const { id } = await tx
    .insertInto('moderation_cases')
    .values({ ...opened(about), source: 'report', is_for_site: isForSite, reports_count: 1, reason, due_at: due })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'subject_id'])
        .where(isOpen)
        .doUpdateSet({
          reports_count: sql<number>`moderation_cases.reports_count + ${isNew ? 1 : 0}`,
          reason: sql<string>`case when array_position(${gravestFirst}::text[], moderation_cases.reason)
            <= array_position(${gravestFirst}::text[], ${reason}::text) then moderation_cases.reason else ${reason}::text end`,
          is_for_site: sql<boolean>`moderation_cases.is_for_site or excluded.is_for_site`,
          // The deadline counts from the first report that has one.
          due_at: sql<Date | null>`coalesce(moderation_cases.due_at, ${due}::timestamptz)`,
          ...keptBusiness,
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * True outside communities, for communities themselves, for messages, and for content by a community's own moderators, who can't judge
 * each other.
 */
const isForSiteAnyway = ({ userId, communityId, ...about }: About) =>
  isOutsideCommunities({ communityId, ...about })
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from community_members where community_id = ${communityId}::uuid and user_id = ${userId}::uuid and role <> 'member')`

const isOutsideCommunities = ({ subject, communityId }: Pick<About, 'subject' | 'communityId'>): boolean =>
  communityId === null || subject === 'community' || subject === 'message'

const opened = ({ subject, subjectId, userId, businessId, communityId, now }: About) => ({
  id: newId(),
  subject,
  subject_id: subjectId,
  user_id: userId,
  business_id: businessId,
  community_id: communityId,
  opened_at: now,
})
