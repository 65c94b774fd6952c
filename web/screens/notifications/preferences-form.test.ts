import { expect, test } from 'vitest'
import type { NotificationPreferences, NotificationPreferencesChange } from '#contracts/notifications.ts'
import { changesBetween, withChange } from './preferences-form.tsx'

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

const email = (isOn: boolean) =>
  ({ topics: [{ topic: 'likes', channels: { email: isOn } }] }) as const satisfies NotificationPreferencesChange

test('changes one switch and restores the original when changed back', () => {
  const changed = withChange(preferences, email(false))
  expect(changed.topics).toEqual([
    { topic: 'posts', channels },
    { topic: 'likes', channels: { in_app: true, email: false, push: false } },
  ])
  expect(preferences.topics[1]?.channels.email).toBe(true)
  expect(withChange(changed, email(true))).toEqual(preferences)
})

test('sends only what was changed, and keeps what another page changed', () => {
  const choices = withChange(withChange({}, { emailRhythm: 'weekly' }), email(false))
  expect(changesBetween(preferences, withChange(preferences, choices))).toEqual({ emailRhythm: 'weekly', ...email(false) })
  const elsewhere = withChange(preferences, { isEmailOn: false, topics: [{ topic: 'likes', channels: { push: true } }] })
  expect(withChange(elsewhere, choices)).toMatchObject({
    ...{ isEmailOn: false, emailRhythm: 'weekly' },
    topics: [{ channels }, { channels: { in_app: true, email: false, push: true } }],
  })
  expect(changesBetween(preferences, withChange(preferences, withChange(choices, { emailRhythm: 'daily', ...email(true) })))).toEqual({})
})
