import { expect, it } from 'vitest'
import { goingWords } from './event-screen.tsx'

it('promises a reminder only while one is still to come', () => {
  const remindAt = '2026-12-03T01:00:00Z'
  expect(goingWords({ remindAt }, Date.parse('2026-12-02T01:00:00Z'))).toBe('You’re going. We’ll remind you before it begins.')
  expect(goingWords({ remindAt }, Date.parse(remindAt))).toBe('You’re going.')
  expect(goingWords({ remindAt: null }, 0)).toBe('You’re going.')
})
