import { type RawBuilder, sql } from 'kysely'
import type { ReportReason, ReportSubject } from '../../../contracts/reports.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { huntAccess } from '../hunts/index.ts'
import { businessNotBlocked, notBlockedBy } from '../people/index.ts'
import { isMember, isOpen, isVisible, readerOf, type Viewer } from '../posts/index.ts'

type Found = { is_own: boolean }

/** Whether the subject is the reporter's own; undefined where they cannot see it. */
export async function findSubject(db: Db, viewer: Viewer, subject: ReportSubject, id: string): Promise<Found | undefined> {
  const { rows } = await subjectQueries[subject](viewer, id).execute(db)
  return rows[0]
}

const subjectQueries: Record<ReportSubject, (viewer: Viewer, id: string) => RawBuilder<Found>> = {
  // Whoever blocked somebody may report what they wrote.
  post: (viewer, id) => sql`
    select posts.author_id = ${viewer.id} or ${runs(viewer, 'posts.business_id')} as is_own
    from posts left join businesses on businesses.id = posts.business_id
    where posts.id = ${id}
      and (${isVisible(readerOf(viewer))} or (posts.business_id is null and ${notBlockedBy(viewer.id, 'posts.author_id')}))`,
  // As far as its post: what is said under a locked one is not seen.
  comment: (viewer, id) => sql`
    select comments.author_id = ${viewer.id} or ${runs(viewer, 'comments.business_id')} as is_own
    from comments
      join posts on posts.id = comments.post_id
      left join businesses on businesses.id = posts.business_id
    where comments.id = ${id} and not comments.is_deleted and ${isOpen(readerOf(viewer))}
      and case when comments.business_id is null then ${notBlockedBy(viewer.id, 'comments.author_id')}
        else ${businessNotBlocked(viewer.id, 'comments.business_id')} end`,
  review: (viewer, id) => sql`
    select user_id = ${viewer.id} as is_own from reviews where id = ${id} and ${notBlockedBy(viewer.id, 'reviews.user_id')}`,
  person: (viewer, id) => sql`
    select id = ${viewer.id} as is_own from users where id = ${id} and ${notBlockedBy(viewer.id, 'users.id')}`,
  // A private hunt is nobody's business, a moderator's neither.
  hunt: (viewer, id) => sql`
    select owner_id = ${viewer.id} as is_own from hunts
    where id = ${id} and visibility = 'public' and ${notBlockedBy(viewer.id, 'hunts.owner_id')}`,
  hunt_comment: (viewer, id) => sql`
    select hunt_comments.author_id = ${viewer.id} as is_own from hunt_comments join hunts on hunts.id = hunt_comments.hunt_id
    where hunt_comments.id = ${id} and hunts.visibility = 'public' and ${huntAccess(sql`${viewer.id}::uuid`)} is not null
      and ${notBlockedBy(viewer.id, 'hunt_comments.author_id')}`,
  // Blocked or not: the directory shows it.
  business: (viewer, id) => sql`select ${runs(viewer, 'businesses.id')} as is_own from businesses where id = ${id}`,
}

const runs = (viewer: Viewer, column: string) => isMember(sql`${viewer.id}::uuid`, sql.ref(column))

type NewReport = {
  id: string
  reporterId: string
  subject: ReportSubject
  subjectId: string
  reason: ReportReason
  details: string
  now: Date
}

/** One of a person about a thing: said again, it replaces what was said, until the moderators have decided. */
export const saveReport = (db: Db | Tx, report: NewReport) =>
  db
    .insertInto('reports')
    .values({
      id: report.id,
      reporter_id: report.reporterId,
      subject: report.subject,
      subject_id: report.subjectId,
      reason: report.reason,
      details: report.details,
      created_at: report.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['reporter_id', 'subject', 'subject_id'])
        .doUpdateSet({ reason: report.reason, details: report.details })
        .where('reports.resolved_at', 'is', null),
    )
    .execute()
