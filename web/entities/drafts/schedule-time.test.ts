import { describe, expect, it } from 'vitest'
import { byDay, dayLabel, fieldsOf, firstProposal, hourWords, momentOf, nextTime, whenWords } from './schedule-time.ts'

// A Saturday, in local time.
const now = new Date(2026, 10, 21, 14, 20)

describe('a scheduled time', () => {
  it('survives a round trip through the fields', () => {
    expect(momentOf(fieldsOf(now))).toEqual(now)
    expect(momentOf({ day: '', time: '10:00' })).toBeNull()
    expect(momentOf({ day: '2026-11-21', time: '' })).toBeNull()
  })

  it('is first proposed on the hour, at least an hour from now', () => {
    expect(firstProposal(now)).toEqual(new Date(2026, 10, 21, 16, 0))
    expect(firstProposal(new Date(2026, 11, 31, 23, 10))).toEqual(new Date(2027, 0, 1, 1, 0))
  })

  it('is the next occurrence of a weekday and hour', () => {
    expect(nextTime({ weekday: 5, hour: 18 }, now)).toEqual(new Date(2026, 10, 21, 18))
    expect(nextTime({ weekday: 5, hour: 14 }, now)).toEqual(new Date(2026, 10, 28, 14))
    expect(nextTime({ weekday: 0, hour: 9 }, now)).toEqual(new Date(2026, 10, 23, 9))
    expect(nextTime({ weekday: 6, hour: 0 }, now)).toEqual(new Date(2026, 10, 22, 0))
  })

  it('is grouped by day, earliest first', () => {
    const at = (...parts: [number, number, number, number]) => ({ publishAt: new Date(...parts).toISOString() })
    const [late, soon, next] = [at(2026, 10, 21, 20), at(2026, 10, 21, 15), at(2027, 0, 2, 9)]
    expect(byDay([next, late, { publishAt: null }, soon], now)).toEqual([
      { day: '2026-11-21', label: 'Today', items: [soon, late] },
      { day: '2027-01-02', label: 'Saturday, Jan 2, 2027', items: [next] },
    ])
    expect(dayLabel(new Date(2026, 10, 22), now)).toBe('Tomorrow')
  })

  it('is described in words, relative to today', () => {
    expect(whenWords(new Date(2026, 10, 21, 18, 5), now)).toBe('today at 6:05 PM')
    expect(whenWords(new Date(2026, 10, 27, 9), now)).toBe('on Friday, Nov 27 at 9:00 AM')
    expect(hourWords({ weekday: 4, hour: 18 })).toBe('Friday, 6 PM – 7 PM')
    expect(hourWords({ weekday: 6, hour: 23 })).toBe('Sunday, 11 PM – 12 AM')
  })
})
