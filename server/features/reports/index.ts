import { type RawBuilder, sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { report as reportContract } from '#contracts/moderation.endpoints.ts'
import * as contract from '#contracts/moderation.endpoints.ts'
import type { ReportReason } from '#contracts/moderation.rules.ts'
import type { OwnReport, ReportSubject } from '#contracts/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { communityAccess, readsCommunity } from '#server/features/communities/index.ts'
import { eventReader, isEventVisible } from '#server/features/events/index.ts'
import { huntAccess } from '#server/features/hunts/index.ts'
import { messageSubject } from '#server/features/messages/index.ts'
import { openReportCase } from '#server/features/moderation/index.ts'
import { isGalleryItemShown } from '#server/features/page-extras/index.ts'
import { businessNotBlocked, notBlockedBy } from '#server/features/people/index.ts'
import { isMember, isOpen, isVisible, readerOf, type Viewer, viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'

export function registerReports(api: Api): void {
  route(api, contract.report, ({ ctx, actor, body }) => report(ctx, actor, body))
  route(api, contract.listOwnReports, ({ ctx, actor, query }) => listOwnReports(ctx.db, actor.id, query))
}

type Query = { limit: number; cursor?: string | undefined }
type Filed = { id: string; subject: ReportSubject; reason: string; created_at: Date; resolved_at: Date | null; case_id: string | null }

/** Newest first. Shows only whether action was taken; details are private to the reported person. */
async function listOwnReports(db: Db, reporterId: string, { limit, cursor }: Query): Promise<Page<OwnReport>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const filed = (table: 'reports' | 'earlier_reports') =>
    sql`select id, subject, reason, created_at, resolved_at, case_id from ${sql.table(table)} where reporter_id = ${reporterId}::uuid`
  const rows = await db
    .selectFrom(sql<Filed>`(${filed('reports')} union all ${filed('earlier_reports')})`.as('reports'))
    .select(['id', 'subject', 'reason', 'created_at', 'resolved_at'])
    .select(
      sql<boolean>`exists (select from moderation_actions where moderation_actions.case_id = reports.case_id
        and moderation_actions.action not in ('approve', 'dismiss') and moderation_actions.undone_at is null)`.as('was_acted_on'),
    )
    .$call((query) => newestAfter(query, 'created_at', 'id', after))
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.created_at.toISOString(), row.id])
  return {
    nextCursor,
    items: items.map((row) => ({
      id: row.id,
      subject: row.subject,
      reason: row.reason as ReportReason,
      createdAt: row.created_at.toISOString(),
      decidedAt: row.resolved_at?.toISOString() ?? null,
      outcome: row.resolved_at === null ? 'waiting' : row.was_acted_on ? 'action_taken' : 'no_action',
    })),
  }
}

const ownSentences: Record<ReportSubject, string> = {
  post: 'This is your own post. You can delete it.',
  comment: 'This is your own comment. You can delete it.',
  review: 'This is your own review. You can delete it.',
  person: 'You can’t report yourself.',
  hunt: 'This is your own hunt. You can delete it.',
  hunt_comment: 'This is your own comment. You can delete it.',
  community: 'This is your own community.',
  message: 'You wrote this message yourself.',
  event: 'Your business published this event. You can cancel it.',
  gallery_item: 'Your business shows this photo. You can remove it.',
  product: 'This is on your business’s menu. You can change it.',
  business: 'You run this business, so you can’t report it.',
}

/** Reports something visible to the reporter that isn't their own. @throws AppError not_found, forbidden, conflict soon after a decision */
async function report(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  given: Parsed<(typeof reportContract)['body']>,
): Promise<void> {
  const now = clock.now()
  const found = await findSubject(db, viewerOf(actor, now), given.subject, given.subjectId, now)
  if (!found) throw notFound('This no longer exists or isn’t visible to you.')
  if (found.is_own) throw new AppError('forbidden', { message: ownSentences[given.subject] })
  const about = { businessId: found.business_id ?? null, communityId: found.community_id, editedAt: found.edited_at ?? null }
  // The reporter may have written it for a business whose team they have left.
  const userId = found.user_id === actor.id ? null : found.user_id
  await inTransaction(db, (tx) => openReportCase(tx, { ...given, ...about, reporterId: actor.id, userId, now }))
}

type Found = {
  is_own: boolean
  /** The subject's author or owner; for a business or menu item, the business's owner. */
  user_id: string | null
  /** The business that published it, or that a review is about. */
  business_id?: string | null
  community_id: string | null
  /** Only for content that records when it was edited. */
  edited_at?: Date | null
}

/** Returns the subject's owner and whether the subject is the reporter's own or their business's; undefined if they can't see it. */
async function findSubject(db: Db, viewer: Viewer, subject: ReportSubject, id: string, now: Date): Promise<Found | undefined> {
  const { rows } = await subjectQueries[subject](viewer, id, now).execute(db)
  return rows[0]
}

const nowhere = sql`null::uuid as community_id`

const subjectQueries: Record<ReportSubject, (viewer: Viewer, id: string, now: Date) => RawBuilder<Found>> = {
  // A reporter who blocked a person can still report that person's posts.
  post: (viewer, id, now) => sql`
    select ${isWrittenBy(viewer, 'posts')} as is_own,
      posts.author_id as user_id, posts.business_id, posts.community_id, posts.edited_at
    from posts left join businesses on businesses.id = posts.business_id
    where posts.id = ${id} and posts.moderation is null
      and (${isVisible(readerOf(viewer))} or (posts.business_id is null and ${notBlockedBy(viewer.id, 'posts.author_id')}
        and (posts.community_id is null or ${readsCommunity(sql`${viewer.id}::uuid`, sql`posts.community_id`, sql<Date>`${now}::timestamptz`)})))`,
  // Comments under a locked post aren't visible.
  comment: (viewer, id) => sql`
    select ${isWrittenBy(viewer, 'comments')} as is_own,
      comments.author_id as user_id, comments.business_id, posts.community_id, comments.edited_at
    from comments
      join posts on posts.id = comments.post_id
      left join businesses on businesses.id = posts.business_id
    where comments.id = ${id} and not comments.is_deleted and comments.moderation is null and ${isOpen(readerOf(viewer))}
      and case when comments.business_id is null then ${notBlockedBy(viewer.id, 'comments.author_id')}
        else ${businessNotBlocked(viewer.id, 'comments.business_id')} end`,
  review: (viewer, id) => sql`
    select user_id = ${viewer.id} as is_own, user_id, business_id, ${nowhere}, edited_at from reviews
    where id = ${id} and moderation is null and ${notBlockedBy(viewer.id, 'reviews.user_id')}`,
  person: (viewer, id) => sql`
    select id = ${viewer.id} as is_own, id as user_id, ${nowhere} from users where id = ${id} and ${notBlockedBy(viewer.id, 'users.id')}`,
  // A private hunt can't be reported, because it stays private even to moderators.
  hunt: (viewer, id) => sql`
    select owner_id = ${viewer.id} as is_own, owner_id as user_id, ${nowhere} from hunts
    where id = ${id} and visibility = 'public' and moderation is null and ${notBlockedBy(viewer.id, 'hunts.owner_id')}`,
  hunt_comment: (viewer, id) => sql`
    select hunt_comments.author_id = ${viewer.id} as is_own, hunt_comments.author_id as user_id, ${nowhere}, hunt_comments.edited_at
    from hunt_comments join hunts on hunts.id = hunt_comments.hunt_id
    where hunt_comments.id = ${id} and hunt_comments.moderation is null and hunts.visibility = 'public'
      and ${huntAccess(sql`${viewer.id}::uuid`)} is not null and ${notBlockedBy(viewer.id, 'hunt_comments.author_id')}`,
  // A business can be reported even if blocked, because the directory shows it.
  business: (viewer, id) => sql`
    select ${isOnTeam(viewer, 'businesses.id')} as is_own, businesses.id as business_id, ${nowhere},
      (select user_id from business_members where business_members.business_id = businesses.id and role = 'owner' limit 1) as user_id
    from businesses where id = ${id} and moderation is null`,
  community: (viewer, id, now) => sql`
    select owner.user_id = ${viewer.id} as is_own, owner.user_id, communities.id as community_id
    from communities
      left join community_members owner on owner.community_id = communities.id and owner.role = 'owner'
    where communities.id = ${id} and ${communityAccess(sql`${viewer.id}::uuid`, now)} is not null`,
  // A message can be reported unless the reporter has deleted it for themselves.
  message: (viewer, id) => messageSubject(viewer.id, id),
  event: (viewer, id) => sql`
    select ${isOnTeam(viewer, 'events.business_id')} as is_own, events.created_by as user_id, events.business_id, ${nowhere}, events.edited_at
    from events join businesses on businesses.id = events.business_id
    where events.id = ${id} and events.moderation is null and ${isEventVisible(eventReader(viewer))}`,
  gallery_item: (viewer, id, now) => sql`
    select ${isOnTeam(viewer, 'gallery_items.business_id')} as is_own, gallery_items.added_by as user_id, gallery_items.business_id, ${nowhere}
    from gallery_items where gallery_items.id = ${id} and ${isGalleryItemShown(sql`${id}::uuid`, now)}`,
  product: (viewer, id) => sql`
    select ${isOnTeam(viewer, 'products.business_id')} as is_own, products.business_id, ${nowhere},
      (select user_id from business_members where business_members.business_id = products.business_id and role = 'owner' limit 1) as user_id
    from products join businesses on businesses.id = products.business_id
    where products.id = ${id} and products.moderation is null and businesses.moderation is null
      and coalesce(${readerOf(viewer).isOfAge}, false)`,
}

/** What someone wrote for a business belongs to its team, and to its author only while they are on the team. */
const isWrittenBy = (viewer: Viewer, table: 'posts' | 'comments') => sql<boolean>`case when ${sql.ref(`${table}.business_id`)} is null
  then ${sql.ref(`${table}.author_id`)} = ${viewer.id} else ${isOnTeam(viewer, `${table}.business_id`)} end`

const isOnTeam = (viewer: Viewer, column: string) => isMember(sql`${viewer.id}::uuid`, sql.ref(column))
