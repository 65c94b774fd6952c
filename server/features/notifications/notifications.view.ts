import type { NotificationType } from '#contracts/notification-types.ts'
import type { Notification } from '#contracts/notifications.ts'
import { toPerson } from '#server/features/people/index.ts'
import { toBusinessByline } from '#server/features/posts/index.ts'
import type { NotificationRow } from './notifications.queries.ts'

const fromBusiness = new Set<NotificationType>([
  'business_post',
  'farm_update',
  'harvest_ready',
  'new_product',
  'product_update',
  'review_reply',
  'new_event',
  'event_changed',
  'event_canceled',
  'event_reminder',
])

/** Shown without a person's picture: from moderators or the system. */
const fromNobody = new Set<NotificationType>(['community_joined', 'moderation_notice', 'appeal_decided', 'picture_missing'])

export function toNotification(row: NotificationRow): Notification {
  const person = row.actor_id === null ? null : toPerson({ ...row, id: row.actor_id })
  const isFromBusiness = fromBusiness.has(row.type) || (person === null && !fromNobody.has(row.type))
  return {
    id: row.id,
    type: row.type,
    title: titleOf(row, person?.name ?? null),
    content: row.excerpt ?? '',
    isRead: row.is_read,
    createdAt: row.created_at.toISOString(),
    actionUrl: actionUrlOf(row),
    business: isFromBusiness ? toBusinessByline(row) : null,
    person: isFromBusiness ? null : person,
  }
}

/** A single line with the current names and titles. */
function titleOf(row: NotificationRow, personName: string | null): string {
  const title = `“${row.post_title ?? ''}”`
  const business = row.business_name ?? 'A business'
  const community = `“${row.community_name ?? ''}”`
  const event = `“${row.event_title ?? ''}”`
  const when = whenWords(row)
  const who = withOthers(personName ?? business, row.others)
  const titles: Record<NotificationType, string> = {
    business_post: `${business} posted ${title}`,
    farm_update: `${business} has an update: ${title}`,
    harvest_ready: `${business} has a harvest ready: ${title}`,
    // Menu news names no product: it may appear on a lock screen.
    new_product: `${business} has something new${row.post_id === null ? ' on its menu' : `: ${title}`}`,
    product_update: `${business} has menu news`,
    person_post: `${personName ?? 'Someone'} posted ${title}`,
    like: `${who} liked ${title}`,
    comment: `${who} commented on ${title}`,
    reply: `${who} replied to your comment on ${title}`,
    follow: `${who} followed you`,
    subscriber: `${who} subscribed to ${business}`,
    review: `${who} reviewed ${business}`,
    review_reply: `${business} replied to your review`,
    helpful: `${who} found your review of ${business} helpful`,
    hunt_shared: `${personName ?? 'Someone'} shared the hunt “${row.hunt_name ?? ''}” with you`,
    hunt_comment: `${who} commented on your hunt “${row.hunt_name ?? ''}”`,
    community_request: `${who} asked to join ${community}`,
    community_joined: `You're now a member of ${community}`,
    community_invitation: `${personName ?? 'Someone'} invited you to ${community}`,
    answer_accepted: `${personName ?? 'Someone'} accepted your answer to ${title}`,
    message: `You have new messages from ${who}`,
    message_request: `${who} wants to message you`,
    moderation_notice: moderationTitle(row),
    appeal_decided: row.is_overturned ? 'Your appeal succeeded: the decision was reversed' : 'Your appeal was decided: the decision stands',
    picture_missing:
      row.post_id === null ? `The picture of ${business} couldn't be loaded` : `The picture of your post ${title} couldn't be loaded`,
    new_event: `${business} announced ${event}, ${when}`,
    event_changed: `${event} by ${business} has a new time or place: ${[when, row.event_place].filter(Boolean).join(', ')}`,
    event_canceled: `${event} by ${business} on ${when} is canceled`,
    event_reminder: `You’re going to ${event} by ${business}: ${when}`,
    license_verified: `The license of ${business} is verified`,
    license_rejected: `The license of ${business} couldn't be verified`,
    license_expiring: `The license of ${business} expires soon`,
    license_ended: `The license of ${business} is no longer verified`,
    license_unproven: `The license of ${business} needs one more step: prove you control it`,
  }
  return titles[row.type]
}

/** "Sat, Mar 20, 6:00 PM PDT": in the event's own time zone. */
function whenWords({ event_starts_at: startsAt, event_time_zone: timeZone, created_at: createdAt }: NotificationRow): string {
  if (startsAt === null || timeZone === null) return ''
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(startsAt.getUTCFullYear() === createdAt.getUTCFullYear() ? {} : { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(startsAt)
}

const subjectWords: Partial<Record<string, string>> = {
  hunt_comment: 'comment',
  person: 'profile',
}

/** What moderators did to a person's content or account. Names the kind of content, never its text. */
function moderationTitle({ moderation_action: action, moderation_subject: subject, is_undone: isUndone }: NotificationRow): string {
  const thing = `Your ${subjectWords[subject ?? ''] ?? subject ?? 'post'}`
  if (isUndone) return 'The moderators reversed a decision about you'
  switch (action) {
    case 'approve':
      return `${thing} was approved`
    case 'hide':
      return `${thing} was hidden by the moderators`
    case 'remove':
      return `${thing} was removed by the moderators`
    case 'mute':
      return 'You can read but not write for a while'
    case 'suspend':
      return 'Your account is suspended for a while'
    case 'ban':
      return "You've been banned"
    default:
      return 'A warning from the moderators'
  }
}

function withOthers(name: string, others: number): string {
  if (others === 0) return name
  return `${name} and ${others} ${others === 1 ? 'other' : 'others'}`
}

/** The account status page, opened at a decision: see web/screens/account-status/own-decision-card.tsx. */
export const accountStatusPath = (actionId: string | null): string => (actionId === null ? '/standing' : `/standing#action-${actionId}`)

function actionUrlOf(row: NotificationRow): string {
  const post = `/post/${row.post_id}`
  switch (row.type) {
    case 'comment':
    case 'reply':
      return row.comment_id === null ? post : `${post}#comment-${row.comment_id}`
    case 'hunt_shared':
      return `/pheno-hunt/${row.hunt_id}`
    case 'hunt_comment':
      return `/pheno-hunt/${row.hunt_id}?section=activity`
    case 'community_request':
      return `/communities/${row.community_slug}?section=manage`
    case 'community_joined':
    case 'community_invitation':
      return `/communities/${row.community_slug}`
    case 'answer_accepted':
      return row.comment_id === null ? post : `${post}#comment-${row.comment_id}`
    case 'message':
    case 'message_request':
      return `/messages/${row.conversation_id}`
    case 'moderation_notice':
    case 'appeal_decided':
      return accountStatusPath(row.moderation_action_id)
    case 'follow':
      return `/people/${row.actor_id}`
    case 'subscriber':
      return row.others === 0 ? `/people/${row.actor_id}` : `/business/${row.business_slug}`
    case 'review':
    case 'review_reply':
    case 'helpful':
      return `/business/${row.business_slug}?tab=reviews`
    case 'license_verified':
    case 'license_rejected':
    case 'license_expiring':
    case 'license_ended':
    case 'license_unproven':
      return `/business-dashboard/license?business=${row.business_slug}`
    case 'picture_missing':
      return row.post_id === null ? `/business-dashboard/profile?business=${row.business_slug}` : post
    case 'new_event':
    case 'event_changed':
    case 'event_canceled':
    case 'event_reminder':
      return `/events/${row.event_id}`
    case 'new_product':
    case 'product_update':
      return row.post_id === null ? `/business/${row.business_slug}` : post
    default:
      return post
  }
}
