import { expect, test } from 'vitest'
import type { NotificationPreferences } from '#contracts/notifications.ts'
import { isSame, withChannel } from './preferences-form.tsx'

const channels = { in_app: true, email: true, push: false }
const preferences: NotificationPreferences = {
  topics: [
    { topic: 'posts', channels },
    { topic: 'likes', channels },
  ],
  isEmailOn: true,
  emailRhythm: 'daily',
  isPromptOn: true,
  quietHours: null,
  timeZone: 'America/Denver',
}

test('changes one switch and restores the original when changed back', () => {
  const changed = withChannel(preferences, 'likes', 'email', false)
  expect(changed.topics).toEqual([
    { topic: 'posts', channels },
    { topic: 'likes', channels: { in_app: true, email: false, push: false } },
  ])
  expect(preferences.topics[1]?.channels.email).toBe(true)
  expect(isSame(changed, preferences)).toBe(false)
  expect(isSame(withChannel(changed, 'likes', 'email', true), preferences)).toBe(true)
})
