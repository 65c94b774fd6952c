import { type NotificationTopic, type NotificationType, notificationTypes, topicOf } from '#contracts/notification-types.ts'
import type { Channel } from '#contracts/notifications.ts'

/** Types that can't be turned off. */
export const alwaysOnTypes: readonly NotificationType[] = notificationTypes.filter((type) => topicOf(type) === null)

export const typesOf = (topic: NotificationTopic): NotificationType[] => notificationTypes.filter((type) => topicOf(type) === topic)

export type Channels = Record<Channel, boolean>

/** The channels that a plan with `product_updates` turns on by default. */
export const onByPlan: readonly Channel[] = ['in_app', 'email']

/**
 * Defaults for people who haven't chosen. Per the specification, new posts are on and product updates off. Likes aren't worth an email.
 * Push requires the browser's permission, so people who granted it get most types.
 */
export const defaultChannels: Record<NotificationTopic, Channels> = {
  posts: { in_app: true, email: true, push: true },
  products: { in_app: false, email: false, push: false },
  likes: { in_app: true, email: false, push: false },
  comments: { in_app: true, email: true, push: true },
  mentions: { in_app: true, email: true, push: true },
  follows: { in_app: true, email: true, push: false },
  reviews: { in_app: true, email: true, push: true },
  hunts: { in_app: true, email: true, push: true },
  communities: { in_app: true, email: true, push: true },
  // The app has a separate badge for them.
  messages: { in_app: false, email: true, push: true },
  events: { in_app: true, email: true, push: true },
}

/** `hasUpdates`: whether their plan has `product_updates`. */
export function defaultsFor(hasUpdates: boolean): Record<NotificationTopic, Channels> {
  const defaults = structuredClone(defaultChannels)
  if (hasUpdates) for (const channel of onByPlan) defaults.products[channel] = true
  return defaults
}
