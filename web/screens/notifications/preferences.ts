import type { NotificationTopic } from '#contracts/notification-types.ts'
import type { Channel, NotificationPreferences } from '#contracts/notifications.ts'

export const topicWords: Record<NotificationTopic, { label: string; hint: string }> = {
  posts: { label: 'Posts', hint: 'News, farm updates and events from businesses and people you follow' },
  products: { label: 'Products', hint: 'New and updated products from businesses you follow' },
  likes: { label: 'Likes', hint: 'Someone likes your post or finds your review helpful' },
  comments: { label: 'Comments and replies', hint: 'Someone replies to you or comments on your hunt' },
  follows: { label: 'Followers', hint: 'Someone follows you or subscribes to your business' },
  reviews: { label: 'Reviews', hint: 'Reviews of your business, and replies to your reviews' },
  hunts: { label: 'Pheno hunts', hint: 'Someone shares a hunt with you' },
  communities: { label: 'Communities', hint: 'Requests and invitations. Replies are under Comments.' },
  messages: { label: 'Messages', hint: 'Who wrote to you, never the message. On the site, messages have their own badge.' },
  events: { label: 'Events you’re going to', hint: 'A reminder the day before, and any change or cancellation' },
}

export const channelWords: Record<Channel, string> = { in_app: 'On the site', email: 'Email', push: 'Browser' }

/** Default quiet hours: the night. */
export const usualQuietHours = { from: 22 * 60, until: 7 * 60 }

export function withChannel(
  preferences: NotificationPreferences,
  topic: NotificationTopic,
  channel: Channel,
  isOn: boolean,
): NotificationPreferences {
  return {
    ...preferences,
    topics: preferences.topics.map((each) => (each.topic === topic ? { ...each, channels: { ...each.channels, [channel]: isOn } } : each)),
  }
}

/** Relies on both coming from the same response, so that their fields are in the same order. */
export const isSame = (one: NotificationPreferences, other: NotificationPreferences): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
