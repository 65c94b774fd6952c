import { expect, test } from 'vitest'
import { summaryOf } from './account-status-screen.tsx'

const now = Date.parse('2026-11-30T12:00:00Z')
const yesterday = '2026-11-29T12:00:00.000Z'
const tomorrow = '2026-12-01T12:00:00.000Z'
const titleOf = (status: Partial<Parameters<typeof summaryOf>[0]>) =>
  summaryOf({ isBanned: false, suspendedUntil: null, mutedUntil: null, ...status }, now, 'UTC').title

test('shows a mute that continues after a suspension has ended', () => {
  expect(titleOf({ suspendedUntil: yesterday })).toBe('Your suspension has ended')
  expect(titleOf({ suspendedUntil: yesterday, mutedUntil: tomorrow })).toMatch(/^You’re muted until/)
  expect(titleOf({ suspendedUntil: tomorrow, mutedUntil: tomorrow })).toMatch(/suspended until/)
  expect(titleOf({ mutedUntil: yesterday })).toBe('Your account is in good standing')
})
