import { channels } from '#contracts/choices.ts'
import type { NotificationTopic } from '#contracts/notification-types.ts'
import type { Channel, NotificationPreferences } from '#contracts/notifications.ts'
import { listWords } from '#web/lib/format.ts'

/**
 * Maps the three settings switches to preferences. A topic is on if any channel is; turning it on enables all channels, and turning it off
 * disables all.
 */
export const switches = {
  email: { label: 'Email Notifications', topic: null },
  posts: { label: 'New Post Alerts', topic: 'posts' },
  products: { label: 'Product Updates', topic: 'products' },
} as const satisfies Record<string, { label: string; topic: NotificationTopic | null }>

export type SwitchName = keyof typeof switches

const channelsOf = (preferences: NotificationPreferences, topic: NotificationTopic) => {
  const chosen = preferences.topics.find((each) => each.topic === topic)?.channels
  return channels.filter((channel) => chosen?.[channel])
}

export function isOn(preferences: NotificationPreferences, name: SwitchName): boolean {
  const { topic } = switches[name]
  return topic === null ? preferences.isEmailOn : channelsOf(preferences, topic).length > 0
}

export function turned(preferences: NotificationPreferences, name: SwitchName, on: boolean): NotificationPreferences {
  const { topic } = switches[name]
  if (topic === null) return { ...preferences, isEmailOn: on }
  return {
    ...preferences,
    topics: preferences.topics.map((each) => (each.topic === topic ? { topic, channels: { in_app: on, email: on, push: on } } : each)),
  }
}

/** Restores a switch's previous preferences: toggling it off and on would lose a mix of channels. */
export function turnedBack(now: NotificationPreferences, before: NotificationPreferences, name: SwitchName): NotificationPreferences {
  const { topic } = switches[name]
  if (topic === null) return { ...now, isEmailOn: before.isEmailOn }
  const old = before.topics.find((each) => each.topic === topic)
  return { ...now, topics: now.topics.map((each) => (each.topic === topic && old ? old : each)) }
}

const places: Record<Channel, string> = { in_app: 'on the site', email: 'by email', push: 'in the browser' }

/** Channels of a topic if not all: "Only on the site and by email." Null if there is nothing to add. */
export function partOf(preferences: NotificationPreferences, name: SwitchName): string | null {
  const { topic } = switches[name]
  if (topic === null) return null
  const chosen = channelsOf(preferences, topic)
  if (chosen.length === 0) return null
  const reached = chosen.filter((channel) => channel !== 'email' || preferences.isEmailOn)
  if (reached.length === channels.length) return null
  if (reached.length === 0) return 'Only by email, and email is off.'
  return `Only ${listWords(reached.map((channel) => places[channel]))}.`
}
