import fc from 'fast-check'
import { expect, it } from 'vitest'
import { warningDue } from './verification.jobs.ts'

it.each([
  [61, null, null],
  [60, null, 60],
  [45, 60, null],
  [30, 60, 30],
  [7, 30, 7],
  [6, 7, null],
  [0, 7, null],
  // The server wasn't running on the earlier dates, so only the nearest warning is sent.
  [5, null, 7],
  [20, null, 30],
])('with %s days left and the last warning at %s, sends warning %s', (days, warned, due) => {
  expect(warningDue(days, warned)).toBe(due)
})

it('sends each warning at most once and in order, with any days skipped', () => {
  fc.assert(
    fc.property(fc.subarray(Array.from({ length: 90 }, (_, i) => 89 - i)), (days) => {
      let warned: number | null = null
      const sent: number[] = []
      for (const left of days) {
        const due = warningDue(left, warned)
        if (due === null) continue
        sent.push(due)
        warned = due
        expect(left).toBeLessThanOrEqual(due)
      }
      expect(sent).toEqual([...new Set(sent)].sort((a, b) => b - a))
      const nearest = days.length === 0 ? null : ([60, 30, 7].findLast((each) => (days.at(-1) as number) <= each) ?? null)
      expect(warned).toBe(nearest)
    }),
  )
})
