import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#contracts/time.ts'
import type { Day } from './days.ts'
import { type Counted, groupsOf, inSteps, publish, stretchesOf, sumOf, total } from './published.ts'

const long = '2099-01-01'
const counted = (first: Day, ...days: [visits: number, visitors: number][]): Counted[] =>
  days.flatMap(([visits, visitors], i) => (visits > 0 ? [{ day: addDays(first, i), visits, visitors }] : []))

const anyDays = fc
  .array(fc.tuple(fc.nat(8), fc.nat(9)), { maxLength: 120 })
  .map((days) =>
    counted('2026-10-20', ...days.map(([more, visitors]): [number, number] => (visitors ? [visitors + more, visitors] : [0, 0]))),
  )

test('merges a day with too few visitors into the days that follow', () => {
  const figures = publish(counted('2026-03-02', [3, 2], [0, 0], [4, 2], [9, 1], [7, 6]), long)
  expect(Object.fromEntries(figures)).toEqual({ '2026-03-02': null, '2026-03-04': null, '2026-03-05': 16, '2026-03-06': 7, [long]: null })
  expect(sumOf(figures, '2026-03-02', '2026-03-04')).toBeNull()
  expect(sumOf(figures, '2026-03-03', '2026-03-03')).toBe(0)
  expect(sumOf(figures, '2026-03-01', '2026-03-31')).toBe(23)
})

test('shows the current day in steps of five', () => {
  expect(publish(counted('2026-03-02', [13, 9]), '2026-03-02').get('2026-03-02')).toBe(10)
  expect(publish(counted('2026-03-02', [13, 9]), '2026-03-03').get('2026-03-02')).toBe(13)
  expect([0, 1, 4, 5, 9, 10].map(inSteps)).toEqual([null, null, null, 5, 5, 10])
})

test('hides the current day’s first visits, even from repeated requests', () => {
  const today = '2026-03-02'
  const shown = [[], counted(today, [1, 1]), counted(today, [4, 4])].map((visits) => sumOf(publish(visits, today), today, today))
  expect(shown).toEqual([null, null, null])
  expect(sumOf(publish([], '2026-03-03'), today, today)).toBe(0)
})

test('hides a total only if a group is hidden and no other group has visits', () => {
  expect(total([null, 6, 0])).toBe(6)
  expect(total([null, 0])).toBeNull()
  expect(total([0, 0])).toBe(0)
  expect(total([])).toBe(0)
})

test('never reveals a difference of fewer than five visitors between two periods', () => {
  fc.assert(
    fc.property(anyDays, fc.array(fc.nat(130), { minLength: 4, maxLength: 4 }), (days, ends) => {
      const groups = groupsOf(days)
      const figures = publish(days, long)
      const [a = 0, b = 0, c = 0, d = 0] = ends
      const day = (n: number) => addDays('2026-10-18', n)
      const shown = (from: number, to: number) => sumOf(figures, day(from), day(to)) ?? 0
      // A figure is the sum of the groups that end in its period.
      const inPeriod = (from: number, to: number) => groups.filter(({ last }) => last >= day(from) && last <= day(to))
      expect(shown(a, b)).toBe(inPeriod(a, b).reduce((sum, group) => sum + group.visits, 0))
      // The difference between two figures therefore consists of whole groups.
      const [one, other] = [new Set(inPeriod(a, b)), new Set(inPeriod(c, d))]
      for (const group of [...one.difference(other), ...other.difference(one)]) expect(group.visitors).toBeGreaterThanOrEqual(5)
    }),
  )
})

test('forms groups that never overlap and count exactly their days’ visits', () => {
  fc.assert(
    fc.property(anyDays, (days) => {
      const groups = groupsOf(days)
      for (const [i, group] of groups.entries()) {
        const own = days.filter(({ day }) => day >= group.first && day <= group.last)
        expect(own.reduce((sum, { visits }) => sum + visits, 0)).toBe(group.visits)
        expect(own.reduce((sum, { visitors }) => sum + visitors, 0)).toBe(group.visitors)
        const before = groups[i - 1]
        if (before) expect(before.last < group.first).toBe(true)
      }
      // At most four visitors per year are left out.
      for (const year of ['2026', '2027']) {
        const of = (all: { visitors: number }[]) => all.reduce((sum, { visitors }) => sum + visitors, 0)
        const left = of(days.filter(({ day }) => day.startsWith(year))) - of(groups.filter(({ last }) => last.startsWith(year)))
        expect(left).toBeGreaterThanOrEqual(0)
        expect(left).toBeLessThan(5)
      }
    }),
  )
})

test('never changes earlier days when later days are added', () => {
  fc.assert(
    fc.property(anyDays, fc.nat(120), (days, cut) => {
      const before = publish(days.slice(0, cut), long)
      const all = publish(days, long)
      for (const [day, figure] of before) expect(all.get(day)).toBe(figure)
    }),
  )
})

test('breaks totals down only over past days that together have at least 60 visitors', () => {
  fc.assert(
    fc.property(anyDays, fc.nat(120), (days, n) => {
      const today = addDays('2026-10-20', n)
      const groups = groupsOf(days)
      for (const stretch of stretchesOf(days, today)) {
        expect(stretch.visitors).toBeGreaterThanOrEqual(60)
        expect(stretch.last < today).toBe(true)
        const within = groups.filter(({ last }) => last >= stretch.first && last <= stretch.last)
        expect(within.reduce((sum, { visits }) => sum + visits, 0)).toBe(stretch.visits)
        expect(within[0]?.first).toBe(stretch.first)
      }
    }),
  )
})
