/** Settings topics; several types share one. */
export const notificationTopics = [
  'posts',
  'products',
  'likes',
  'comments',
  'follows',
  'reviews',
  'hunts',
  'communities',
  'messages',
  'events',
] as const
export type NotificationTopic = (typeof notificationTopics)[number]

/**
 * The topic of each type. Types without one can't be turned off and notify in the app only: licenses and moderators' decisions have their
 * own emails, and message requests have none.
 */
const topics = {
  business_post: 'posts',
  farm_update: 'posts',
  harvest_ready: 'posts',
  new_product: 'products',
  product_update: 'products',
  person_post: 'posts',
  like: 'likes',
  comment: 'comments',
  reply: 'comments',
  follow: 'follows',
  subscriber: 'follows',
  review: 'reviews',
  review_reply: 'reviews',
  helpful: 'reviews',
  license_verified: null,
  license_rejected: null,
  license_expiring: null,
  license_ended: null,
  license_unproven: null,
  hunt_shared: 'hunts',
  hunt_comment: 'comments',
  community_request: 'communities',
  community_joined: 'communities',
  community_invitation: 'communities',
  answer_accepted: 'comments',
  message: 'messages',
  message_request: null,
  moderation_notice: null,
  appeal_decided: null,
  picture_missing: null,
  new_event: 'posts',
  event_changed: 'events',
  event_canceled: 'events',
  event_reminder: 'events',
} as const satisfies Record<string, NotificationTopic | null>

export type NotificationType = keyof typeof topics
/** Types that a person can turn off. */
export type SwitchedType = { [Type in NotificationType]: (typeof topics)[Type] extends null ? never : Type }[NotificationType]

export const notificationTypes = Object.keys(topics) as NotificationType[]

export function topicOf(type: SwitchedType): NotificationTopic
export function topicOf(type: NotificationType): NotificationTopic | null
export function topicOf(type: NotificationType): NotificationTopic | null {
  return topics[type]
}
