import { expect, test } from 'vitest'
import { confirmedWords } from './confirmed.tsx'

const now = new Date('2026-11-21T12:00:00Z')
const hour = 3_600_000
const ago = (hours: number) => confirmedWords(new Date(now.getTime() - hours * hour), now)

test.each([
  [-0.5, 'fresh', 'Confirmed just now'],
  [0, 'fresh', 'Confirmed just now'],
  [0.2, 'fresh', 'Confirmed 12 min ago'],
  [3, 'fresh', 'Confirmed 3 h ago'],
  [23.9, 'fresh', 'Confirmed 23 h ago'],
  [24, 'aging', 'Confirmed 1 day ago'],
  [7 * 24, 'aging', 'Confirmed 7 days ago'],
  [7 * 24 + 0.1, 'stale', 'Not confirmed for 7 days'],
  [9 * 24, 'stale', 'Not confirmed for 9 days'],
  [70 * 24, 'stale', 'Not confirmed for 2 months'],
] as const)('treats a price confirmed %s hours ago as %s: %s', (hours, freshness, words) => {
  expect(ago(hours)).toEqual({ freshness, words })
})
