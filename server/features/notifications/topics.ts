import type { Channel, NotificationTopic, NotificationType } from '../../../contracts/notifications.ts'
import { notificationTypes } from '../../../contracts/notifications.ts'

/**
 * The others hang on no switch: told in the app to everybody whom it concerns. What nobody can do without (licenses, moderators'
 * decisions) is mailed on its own; a stranger who asks to write is worth no mail at all.
 */
export type SwitchedType = Exclude<
  NotificationType,
  `license_${string}` | 'message_request' | 'moderation_notice' | 'appeal_decided' | 'picture_missing'
>

/** The switch that a type hangs on. */
const topics: Record<SwitchedType, NotificationTopic> = {
  business_post: 'posts',
  farm_update: 'posts',
  harvest_ready: 'posts',
  person_post: 'posts',
  new_product: 'products',
  product_update: 'products',
  like: 'likes',
  comment: 'comments',
  reply: 'comments',
  follow: 'follows',
  subscriber: 'follows',
  review: 'reviews',
  review_reply: 'reviews',
  helpful: 'reviews',
  hunt_shared: 'hunts',
  hunt_comment: 'comments',
  community_request: 'communities',
  community_joined: 'communities',
  community_invitation: 'communities',
  answer_accepted: 'comments',
  message: 'messages',
  new_event: 'posts',
  event_changed: 'events',
  event_canceled: 'events',
  event_reminder: 'events',
}

export const topicOf = (type: SwitchedType): NotificationTopic => topics[type]

const isSwitched = (type: NotificationType): type is SwitchedType => Object.hasOwn(topics, type)

/** What is told to everybody whom it concerns. */
export const alwaysTold: readonly NotificationType[] = notificationTypes.filter((type) => !isSwitched(type))

export const typesOf = (topic: NotificationTopic): NotificationType[] =>
  notificationTypes.filter((type) => isSwitched(type) && topics[type] === topic)

export type EventNews = 'new_event' | UrgentType
const urgentTypes = ['event_changed', 'event_canceled', 'event_reminder'] as const
type UrgentType = (typeof urgentTypes)[number]

/** What is of no use tomorrow: mailed at once, also to people who have their mail gathered. */
export const isUrgent = (type: NotificationType): boolean => urgentTypes.some((urgent) => urgent === type)

export type Channels = Record<Channel, boolean>

/** How a plan with `product_updates` turns its topic on for those who chose nothing. */
export const onByPlan: readonly Channel[] = ['in_app', 'email']

/**
 * What somebody who chose nothing is told. The specification's settings have new posts on and product updates off. Likes are not
 * worth a mail. A push needs a browser that was asked and agreed, so whoever has one gets what is written in words.
 */
export const defaultChannels: Record<NotificationTopic, Channels> = {
  posts: { in_app: true, email: true, push: true },
  products: { in_app: false, email: false, push: false },
  likes: { in_app: true, email: false, push: false },
  comments: { in_app: true, email: true, push: true },
  follows: { in_app: true, email: true, push: false },
  reviews: { in_app: true, email: true, push: true },
  hunts: { in_app: true, email: true, push: true },
  communities: { in_app: true, email: true, push: true },
  // In the app they have a badge of their own.
  messages: { in_app: false, email: true, push: true },
  events: { in_app: true, email: true, push: true },
}

/** `hasUpdates`: whether their plan has `product_updates`. */
export function defaultsFor(hasUpdates: boolean): Record<NotificationTopic, Channels> {
  const defaults = structuredClone(defaultChannels)
  if (hasUpdates) for (const channel of onByPlan) defaults.products[channel] = true
  return defaults
}
