import { describe, expect, test } from 'vitest'
import type { NotificationTopic } from '#contracts/notification-types.ts'
import type { NotificationPreferences } from '#contracts/notifications.ts'
import { changeOf, isOn, partOf, type SwitchName, switches, turned, turnedBack } from './settings-screen.tsx'

const everywhere = { in_app: true, email: true, push: true }
const nowhere = { in_app: false, email: false, push: false }

/** Matches the defaults in server/features/notifications/preferences.ts. */
const given: NotificationPreferences = {
  topics: [
    { topic: 'posts', channels: everywhere },
    { topic: 'products', channels: nowhere },
    { topic: 'likes', channels: { in_app: true, email: false, push: false } },
  ],
  isEmailOn: true,
  emailRhythm: 'daily',
  isPromptOn: true,
  quietHours: null,
  timeZone: 'UTC',
}
const withTopic = (topic: NotificationTopic, channels: object): NotificationPreferences => ({
  ...given,
  topics: given.topics.map((each) => (each.topic === topic ? { topic, channels: { ...each.channels, ...channels } } : each)),
})
const names = Object.keys(switches) as SwitchName[]

test('has the specified defaults of on, on, and off', () => {
  expect(names.map((name) => [switches[name].label, isOn(given, name)])).toEqual([
    ['Email Notifications', true],
    ['New Post Alerts', true],
    ['Product Updates', false],
  ])
})

test('changes only the setting that the switch controls', () => {
  for (const name of names) {
    for (const on of [true, false]) {
      const after = turned(given, name, on)
      expect(isOn(after, name)).toBe(on)
      for (const other of names) if (other !== name) expect(isOn(after, other)).toBe(isOn(given, other))
      expect(after.topics.find(({ topic }) => topic === 'likes')).toEqual(given.topics[2])
    }
  }
})

test('sends only the setting that the switch controls, and the device’s time zone until one is chosen', () => {
  const zoned = { ...given, timeZone: 'Asia/Tokyo' }
  expect(changeOf(turned(zoned, 'email', false), 'email')).toEqual({ isEmailOn: false })
  expect(changeOf(turned(zoned, 'posts', false), 'posts')).toEqual({ topics: [{ topic: 'posts', channels: nowhere }] })
  expect(Object.keys(changeOf(given, 'email'))).toEqual(['isEmailOn', 'timeZone'])
})

describe('a topic', () => {
  test('is on and names its channels if only some are on', () => {
    const mixed = withTopic('posts', { push: false })
    expect(isOn(mixed, 'posts')).toBe(true)
    expect(partOf(mixed, 'posts')).toBe('Only on the site and by email.')
    expect(partOf(withTopic('products', { in_app: true }), 'products')).toBe('Only on the site.')
  })

  test('leaves out email while email is off', () => {
    expect(partOf({ ...given, isEmailOn: false }, 'posts')).toBe('Only on the site and in the browser.')
    const byMail = withTopic('products', { email: true })
    expect(partOf({ ...byMail, isEmailOn: false }, 'products')).toBe('Only by email, and email is off.')
  })

  test('names no channels if all or none are on', () => {
    expect([partOf(given, 'posts'), partOf(given, 'products'), partOf(given, 'email')]).toEqual([null, null, null])
  })

  test('is rolled back when saving fails, without affecting another switch', () => {
    const mixed = withTopic('posts', { push: false })
    const now = turned(turned(mixed, 'posts', false), 'email', false)
    const back = turnedBack(now, mixed, 'posts')
    expect(back).toEqual({ ...mixed, isEmailOn: false })
    expect(turnedBack(now, mixed, 'email').isEmailOn).toBe(true)
  })
})
