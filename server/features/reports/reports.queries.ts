import { type RawBuilder, sql } from 'kysely'
import type { ReportSubject } from '#contracts/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import { communityAccess, readsCommunity } from '#server/features/communities/index.ts'
import { eventReader, isEventVisible } from '#server/features/events/index.ts'
import { huntAccess } from '#server/features/hunts/index.ts'
import { messageSubject } from '#server/features/messages/index.ts'
import { isGalleryItemShown } from '#server/features/page-extras/index.ts'
import { businessNotBlocked, notBlockedBy } from '#server/features/people/index.ts'
import { isMember, isOpen, isVisible, readerOf, type Viewer } from '#server/features/posts/index.ts'

type Found = {
  is_own: boolean
  /** The owner of the subject; for a business, its owner. */
  user_id: string | null
  community_id: string | null
}

/** Whether the subject is the reporter's own, and its owner; undefined if the reporter can't see it. */
export async function findSubject(db: Db, viewer: Viewer, subject: ReportSubject, id: string, now: Date): Promise<Found | undefined> {
  const { rows } = await subjectQueries[subject](viewer, id, now).execute(db)
  return rows[0]
}

const nowhere = sql`null::uuid as community_id`

const subjectQueries: Record<ReportSubject, (viewer: Viewer, id: string, now: Date) => RawBuilder<Found>> = {
  // Blocking an author doesn't prevent reporting posts that would otherwise be visible.
  post: (viewer, id, now) => sql`
    select posts.author_id = ${viewer.id} or ${runs(viewer, 'posts.business_id')} as is_own,
      posts.author_id as user_id, posts.community_id
    from posts left join businesses on businesses.id = posts.business_id
    where posts.id = ${id} and posts.moderation is null
      and (${isVisible(readerOf(viewer))} or (posts.business_id is null and ${notBlockedBy(viewer.id, 'posts.author_id')}
        and (posts.community_id is null or ${readsCommunity(sql`${viewer.id}::uuid`, sql`posts.community_id`, sql<Date>`${now}::timestamptz`)})))`,
  // Comments follow their post: under a locked one they aren't visible.
  comment: (viewer, id) => sql`
    select comments.author_id = ${viewer.id} or ${runs(viewer, 'comments.business_id')} as is_own,
      comments.author_id as user_id, posts.community_id
    from comments
      join posts on posts.id = comments.post_id
      left join businesses on businesses.id = posts.business_id
    where comments.id = ${id} and not comments.is_deleted and comments.moderation is null and ${isOpen(readerOf(viewer))}
      and case when comments.business_id is null then ${notBlockedBy(viewer.id, 'comments.author_id')}
        else ${businessNotBlocked(viewer.id, 'comments.business_id')} end`,
  review: (viewer, id) => sql`
    select user_id = ${viewer.id} as is_own, user_id, ${nowhere} from reviews
    where id = ${id} and moderation is null and ${notBlockedBy(viewer.id, 'reviews.user_id')}`,
  person: (viewer, id) => sql`
    select id = ${viewer.id} as is_own, id as user_id, ${nowhere} from users where id = ${id} and ${notBlockedBy(viewer.id, 'users.id')}`,
  // Private hunts are private, even to moderators.
  hunt: (viewer, id) => sql`
    select owner_id = ${viewer.id} as is_own, owner_id as user_id, ${nowhere} from hunts
    where id = ${id} and visibility = 'public' and moderation is null and ${notBlockedBy(viewer.id, 'hunts.owner_id')}`,
  hunt_comment: (viewer, id) => sql`
    select hunt_comments.author_id = ${viewer.id} as is_own, hunt_comments.author_id as user_id, ${nowhere}
    from hunt_comments join hunts on hunts.id = hunt_comments.hunt_id
    where hunt_comments.id = ${id} and hunt_comments.moderation is null and hunts.visibility = 'public'
      and ${huntAccess(sql`${viewer.id}::uuid`)} is not null and ${notBlockedBy(viewer.id, 'hunt_comments.author_id')}`,
  // Even if blocked, because the directory shows it.
  business: (viewer, id) => sql`
    select ${runs(viewer, 'businesses.id')} as is_own, ${nowhere},
      (select user_id from business_members where business_members.business_id = businesses.id and role = 'owner' limit 1) as user_id
    from businesses where id = ${id} and moderation is null`,
  community: (viewer, id, now) => sql`
    select owner.user_id = ${viewer.id} as is_own, owner.user_id, communities.id as community_id
    from communities
      left join community_members owner on owner.community_id = communities.id and owner.role = 'owner'
    where communities.id = ${id} and ${communityAccess(sql`${viewer.id}::uuid`, now)} is not null`,
  // Unless the reporter has deleted it for themselves.
  message: (viewer, id) => messageSubject(viewer.id, id),
  event: (viewer, id) => sql`
    select ${runs(viewer, 'events.business_id')} as is_own, events.created_by as user_id, ${nowhere}
    from events join businesses on businesses.id = events.business_id
    where events.id = ${id} and events.moderation is null and ${isEventVisible(eventReader(viewer))}`,
  gallery_item: (viewer, id, now) => sql`
    select ${runs(viewer, 'gallery_items.business_id')} as is_own, gallery_items.added_by as user_id, ${nowhere}
    from gallery_items where gallery_items.id = ${id} and ${isGalleryItemShown(sql`${id}::uuid`, now)}`,
  product: (viewer, id) => sql`
    select ${runs(viewer, 'products.business_id')} as is_own, ${nowhere},
      (select user_id from business_members where business_members.business_id = products.business_id and role = 'owner' limit 1) as user_id
    from products join businesses on businesses.id = products.business_id
    where products.id = ${id} and products.moderation is null and businesses.moderation is null
      and coalesce(${readerOf(viewer).isOfAge}, false)`,
}

const runs = (viewer: Viewer, column: string) => isMember(sql`${viewer.id}::uuid`, sql.ref(column))
