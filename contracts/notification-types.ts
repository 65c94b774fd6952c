/** Several types can share a topic. */
export const notificationTopics = [
  'posts',
  'products',
  'likes',
  'comments',
  'mentions',
  'follows',
  'reviews',
  'hunts',
  'communities',
  'messages',
  'events',
  'drafts',
  'held',
] as const
export type NotificationTopic = (typeof notificationTopics)[number]

type Description = {
  /**
   * The type's topic in the settings. Types without a topic can't be turned off and appear only in the app: licenses and moderators'
   * decisions have their own emails; message requests, missing pictures, corrections and connections have none.
   */
  topic: NotificationTopic | null
  label: string
  icon: string
}

export const notificationDescriptions = {
  business_post: { topic: 'posts', label: 'Business post', icon: 'megaphone' },
  farm_update: { topic: 'posts', label: 'Farm update', icon: 'sprout' },
  harvest_ready: { topic: 'posts', label: 'Harvest ready', icon: 'wheat' },
  new_product: { topic: 'products', label: 'New product', icon: 'package-plus' },
  product_update: { topic: 'products', label: 'Product update', icon: 'package-check' },
  person_post: { topic: 'posts', label: 'Post', icon: 'pen-line' },
  like: { topic: 'likes', label: 'Like', icon: 'heart' },
  comment: { topic: 'comments', label: 'Comment', icon: 'message-circle' },
  reply: { topic: 'comments', label: 'Reply', icon: 'reply' },
  mention: { topic: 'mentions', label: 'Mention', icon: 'at-sign' },
  comment_mention: { topic: 'mentions', label: 'Mention', icon: 'at-sign' },
  follow: { topic: 'follows', label: 'Follower', icon: 'user-plus' },
  subscriber: { topic: 'follows', label: 'Subscriber', icon: 'user-plus' },
  review: { topic: 'reviews', label: 'Review', icon: 'star' },
  low_review: { topic: 'reviews', label: 'Review', icon: 'star' },
  review_reply: { topic: 'reviews', label: 'Reply', icon: 'message-square-reply' },
  helpful: { topic: 'reviews', label: 'Helpful', icon: 'thumbs-up' },
  license_verified: { topic: null, label: 'License', icon: 'badge-check' },
  license_rejected: { topic: null, label: 'License', icon: 'badge-alert' },
  license_expiring: { topic: null, label: 'License', icon: 'badge-alert' },
  license_ended: { topic: null, label: 'License', icon: 'badge-alert' },
  license_unproven: { topic: null, label: 'License', icon: 'badge-alert' },
  hunt_shared: { topic: 'hunts', label: 'Pheno hunt', icon: 'dna' },
  hunt_comment: { topic: 'comments', label: 'Comment', icon: 'message-circle' },
  community_request: { topic: 'communities', label: 'Community', icon: 'users-round' },
  community_joined: { topic: 'communities', label: 'Community', icon: 'users-round' },
  community_invitation: { topic: 'communities', label: 'Invitation', icon: 'users-round' },
  answer_accepted: { topic: 'comments', label: 'Accepted answer', icon: 'circle-check' },
  message: { topic: 'messages', label: 'Message', icon: 'mail' },
  message_request: { topic: null, label: 'Message', icon: 'mail' },
  content_held: { topic: 'held', label: 'Waiting for review', icon: 'scale' },
  moderation_notice: { topic: null, label: 'Moderators', icon: 'scale' },
  appeal_decided: { topic: null, label: 'Appeal', icon: 'scale' },
  draft_failed: { topic: 'drafts', label: 'Scheduled post', icon: 'calendar-x' },
  picture_missing: { topic: null, label: 'Picture', icon: 'image-off' },
  new_event: { topic: 'posts', label: 'Event', icon: 'calendar-days' },
  event_changed: { topic: 'events', label: 'Event changed', icon: 'calendar-clock' },
  event_canceled: { topic: 'events', label: 'Event canceled', icon: 'calendar-x' },
  event_reminder: { topic: 'events', label: 'Reminder', icon: 'calendar-clock' },
  correction_suggested: { topic: null, label: 'Suggested change', icon: 'pen-line' },
  correction_settled: { topic: null, label: 'Suggested change', icon: 'pen-line' },
  webhook_stopped: { topic: null, label: 'Connections', icon: 'unplug' },
  menu_fetch_failed: { topic: null, label: 'Connections', icon: 'unplug' },
  menu_fetch_stopped: { topic: null, label: 'Connections', icon: 'unplug' },
} as const satisfies Record<string, Description>

type Descriptions = typeof notificationDescriptions
export type NotificationType = keyof Descriptions
export type SwitchedType = { [Type in NotificationType]: Descriptions[Type]['topic'] extends null ? never : Type }[NotificationType]
export type NotificationIcon = Descriptions[NotificationType]['icon']

export const notificationTypes = Object.keys(notificationDescriptions) as NotificationType[]

export function topicOf(type: SwitchedType): NotificationTopic
export function topicOf(type: NotificationType): NotificationTopic | null
export function topicOf(type: NotificationType): NotificationTopic | null {
  return notificationDescriptions[type].topic
}
