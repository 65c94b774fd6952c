import { expect, test } from 'vitest'
import { copiedToAll, intervalsProblem, nextInterval, usualWeek, weekProblems, withoutCopy } from './hours-editor.tsx'

test('copies one day’s hours to all days', () => {
  const week = usualWeek()
  week[2] = [{ opens: 600, closes: 700 }]
  const copied = copiedToAll(week, 2)
  expect(copied).toEqual(Array.from({ length: 7 }, () => [{ opens: 600, closes: 700 }]))
  expect(copied[0]?.[0]).not.toBe(copied[1]?.[0])
})

test('undoes a copy to all days except where days were edited since', () => {
  const before = usualWeek()
    .with(2, [{ opens: 600, closes: 700 }])
    .with(5, [])
  const copied = copiedToAll(before, 2)
  expect(withoutCopy(copied, copied, before)).toEqual(before)
  expect(withoutCopy(copied.with(6, []), copied, before)).toEqual(before.with(6, []))
})

test('starts another interval after the last one if the day has room', () => {
  expect(nextInterval([])).toEqual({ opens: 540, closes: 1260 })
  expect(nextInterval([{ opens: 540, closes: 720 }])).toEqual({ opens: 780, closes: 900 })
  expect(nextInterval([{ opens: 540, closes: 1400 }])).toBeNull()
  expect(nextInterval([{ opens: 1080, closes: 120 }])).toBeNull()
})

test('allows times of a day to touch but not overlap', () => {
  expect(
    intervalsProblem([
      { opens: 780, closes: 900 },
      { opens: 540, closes: 780 },
    ]),
  ).toBeNull()
  expect(
    intervalsProblem([
      { opens: 540, closes: 800 },
      { opens: 780, closes: 900 },
    ]),
  ).toBe('These times overlap.')
})

test('reports night hours that overlap the next morning’s, even from Sunday to Monday', () => {
  const week = usualWeek()
  week[6] = [{ opens: 1080, closes: 600 }]
  expect(weekProblems(week)).toEqual([null, null, null, null, null, null, 'These hours overlap with the next day’s.'])
  week[6] = [{ opens: 1080, closes: 540 }]
  expect(weekProblems(week)).toEqual(Array(7).fill(null))
})
