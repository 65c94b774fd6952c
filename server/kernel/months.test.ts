import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addMonths } from './months.ts'

it('keeps the day if it exists', () => {
  expect(addMonths(new Date('2026-01-31T10:20:30.456Z'), 1).toISOString()).toBe('2026-02-28T10:20:30.456Z')
  expect(addMonths(new Date('2028-01-31T00:00:00.000Z'), 1).toISOString()).toBe('2028-02-29T00:00:00.000Z')
  expect(addMonths(new Date('2026-11-21T23:59:59.999Z'), 2).toISOString()).toBe('2027-01-21T23:59:59.999Z')
})

it('adds 28 to 31 days per month, on the same or the last day', () => {
  const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 240 }), (from, months) => {
      const to = addMonths(from, months)
      const days = (addMonths(from, months + 1).getTime() - to.getTime()) / 86_400_000
      expect(days).toBeGreaterThanOrEqual(28)
      expect(days).toBeLessThanOrEqual(31)
      expect(to.getUTCMonth()).toBe((from.getUTCMonth() + months) % 12)
      expect(to.toISOString().slice(10)).toBe(from.toISOString().slice(10))
      if (to.getUTCDate() !== from.getUTCDate()) expect(new Date(to.getTime() + 86_400_000).getUTCDate()).toBe(1)
    }),
  )
})
