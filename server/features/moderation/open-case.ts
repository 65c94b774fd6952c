import { sql } from 'kysely'
import type { Topic } from '../../../compliance/findings.ts'
import { hoursToDecide } from '../../../contracts/moderation.ts'
import { type ReportReason, type ReportSubject, reportReasons } from '../../../contracts/reports.ts'
import type { Tx } from '../../db/connect.ts'
import { newId } from '../../kernel/ids.ts'

type About = {
  subject: ReportSubject
  subjectId: string
  /** Whose it is. */
  userId: string | null
  communityId: string | null
  now: Date
}

// Written out, not a parameter: a plan for any status could not use the partial index.
const isOpen = sql<boolean>`status = 'open'`

type Hold = About & {
  /** The rules that held it, and what each says in our own words. Never the writer's. */
  findings: readonly { rule: Topic; says?: string }[]
}

type Flag = About & { finding: { rule: string; says: string; path: string } }

/**
 * A case shows the gravest reason of its reports. Those for the site are a matter of law before they are one of a community's rules, so the
 * community's moderators don't see them.
 */
const reasons: Record<ReportReason, { gravity: number; isForSite: boolean }> = {
  intimate_image: { gravity: 7, isForSite: true },
  minors: { gravity: 6, isForSite: true },
  illegal_sale: { gravity: 5, isForSite: true },
  harassment: { gravity: 4, isForSite: false },
  health_claim: { gravity: 3, isForSite: false },
  false_information: { gravity: 2, isForSite: false },
  spam: { gravity: 1, isForSite: false },
  other: { gravity: 0, isForSite: false },
}
const gravestFirst = reportReasons.toSorted((one, other) => reasons[other].gravity - reasons[one].gravity)

/** The same for the rules of the filters: a community's own moderators would otherwise let its members' sales through. */
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
 * A filter holds something for review: opens its case, or adds to the open one. Whoever writes has inserted it as `held`, in this
 * transaction. Answers the case's id.
 */
export async function holdForReview(tx: Tx, { findings, ...about }: Hold): Promise<string> {
  const found = JSON.stringify(findings.map(({ rule, says }) => ({ rule, says: says ?? null })))
  const isForSite = sql<boolean>`(${findings.some(({ rule }) => isRuleForSite[rule])}::boolean or ${isForSiteAnyway(about)})`
  const { id } = await tx
    .insertInto('moderation_cases')
    .values({ ...opened(about), source: 'filter', is_for_site: isForSite, findings: found })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'subject_id'])
        .where(isOpen)
        // What was held is written anew: the last words are what is looked at.
        .doUpdateSet({
          // What a check of ours flagged stays.
          findings: sql`${found}::jsonb || (select coalesce(jsonb_agg(finding), '[]') from jsonb_array_elements(moderation_cases.findings) finding
            where finding ->> 'path' is not null)`,
          source: 'filter',
          is_for_site: sql<boolean>`moderation_cases.is_for_site or excluded.is_for_site`,
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A check of ours flags what stays visible: opens its case, or adds to the open one. */
export async function flagForReview(tx: Tx, { finding, ...about }: Flag): Promise<void> {
  await tx
    .insertInto('moderation_cases')
    .values({ ...opened(about), source: 'check', is_for_site: isForSiteAnyway(about), findings: JSON.stringify([finding]) })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'subject_id'])
        .where(isOpen)
        .doUpdateSet({ findings: sql`moderation_cases.findings || excluded.findings` }),
    )
    .execute()
}

type Report = About & { reporterId: string; reason: ReportReason; details: string }

/**
 * Takes a report: it opens a case, or joins the open one. Whoever says it again replaces what they said before; what was decided
 * already stays as it is.
 */
export async function openReportCase(tx: Tx, { reporterId, reason, details, ...about }: Report): Promise<void> {
  const report = await heldReport(tx, { reporterId, reason, details, ...about })
  if (report.resolved_at !== null) return
  const caseId = await joinCase(tx, { ...about, reason, isNew: report.case_id === null })
  await tx.updateTable('reports').set({ reason, details, case_id: caseId }).where('id', '=', report.id).execute()
}

/** A person's one report about a thing, made or found, held until the transaction ends. */
async function heldReport(tx: Tx, { reporterId, subject, subjectId, reason, details, now }: Report) {
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

type Joining = About & { reason: ReportReason; isNew: boolean }

async function joinCase(tx: Tx, { reason, isNew, ...about }: Joining): Promise<string> {
  const isForSite = sql<boolean>`(${reasons[reason].isForSite}::boolean or ${isForSiteAnyway(about)})`
  const due = reason === 'intimate_image' ? new Date(about.now.getTime() + hoursToDecide * 3_600_000) : null
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
          // The clock runs from the first such report, whatever comes after.
          due_at: sql<Date | null>`coalesce(moderation_cases.due_at, ${due}::timestamptz)`,
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Outside of communities; a community itself; a message; and what a community's own moderators wrote: nobody judges whom they
 * moderate with.
 */
const isForSiteAnyway = ({ subject, userId, communityId }: About) =>
  communityId === null || subject === 'community' || subject === 'message'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from community_members where community_id = ${communityId}::uuid and user_id = ${userId}::uuid and role <> 'member')`

const opened = ({ subject, subjectId, userId, communityId, now }: About) => ({
  id: newId(),
  subject,
  subject_id: subjectId,
  user_id: userId,
  community_id: communityId,
  opened_at: now,
})
