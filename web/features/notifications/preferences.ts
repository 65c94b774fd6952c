import type { Channel, NotificationPreferences, NotificationTopic } from '../../../contracts/notifications.ts'

export const topicWords: Record<NotificationTopic, { label: string; hint: string }> = {
  posts: { label: 'Posts', hint: 'News, farm updates and events of businesses and people you follow' },
  products: { label: 'Products', hint: 'New and changed products of businesses you follow' },
  likes: { label: 'Likes', hint: 'Somebody likes your post or finds your review helpful' },
  comments: { label: 'Comments and replies', hint: 'Somebody answers what you wrote, or comments on your hunt' },
  follows: { label: 'Followers', hint: 'Somebody follows you or subscribes to your business' },
  reviews: { label: 'Reviews', hint: 'A review of your business, or an answer to yours' },
  hunts: { label: 'Pheno hunts', hint: 'Somebody shares a hunt with you' },
  communities: { label: 'Communities', hint: 'Requests and invitations; what is answered there is under Comments' },
  messages: { label: 'Messages', hint: 'Who wrote to you, never what; on the site they have a badge of their own' },
  events: { label: 'Events you’re going to', hint: 'A reminder the day before, and any change or cancellation' },
}

export const channelWords: Record<Channel, string> = { in_app: 'On the site', email: 'Email', push: 'Browser' }

/** What quiet hours begin with: the night. */
export const usualQuietHours = { from: 22 * 60, until: 7 * 60 }

/** The same preferences with one switch turned. */
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

/** Whether two say the same. Both come from the same answer, so their fields stand in the same order. */
export const isSame = (one: NotificationPreferences, other: NotificationPreferences): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
