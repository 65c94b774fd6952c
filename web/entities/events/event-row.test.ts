import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setRegion } from '#web/lib/format.ts'
import { dayParts, isOver, placeWords, seatWords, whenWords } from './event-row.tsx'

beforeEach(() => setRegion('US'))
afterEach(() => setRegion(null))

const plain = (text: string) => text.replace(/\s/g, ' ')
const times = { startsAt: '2026-12-04T01:00:00Z', endsAt: '2026-12-04T03:00:00Z', timeZone: 'America/Denver' }
const now = new Date('2026-11-23T15:00:00Z')

describe('the time of an event', () => {
  it('is shown in the event’s local time with its zone, wherever the viewer is', () => {
    expect(plain(whenWords(times, now))).toBe('Thu, Dec 3, 6:00 – 8:00 PM MST')
    expect(plain(whenWords({ ...times, timeZone: 'America/New_York' }, now))).toBe('Thu, Dec 3, 8:00 – 10:00 PM EST')
    expect(dayParts(times)).toEqual({ month: 'Dec', day: '3' })
  })

  it('includes the year if it isn’t the current one', () => {
    const next = { ...times, startsAt: '2027-07-04T18:00:00Z', endsAt: '2027-07-04T20:00:00Z' }
    expect(plain(whenWords(next, now))).toBe('Sun, Jul 4, 2027, 12:00 – 2:00 PM MDT')
  })

  it('states both zones if the clocks change during the event', () => {
    const party = { startsAt: '2026-11-01T06:00:00Z', endsAt: '2026-11-01T10:00:00Z', timeZone: 'America/Denver' }
    expect(plain(whenWords(party, now))).toBe('Sun, Nov 1, 12:00 AM MDT – Sun, Nov 1, 3:00 AM MST')
  })
})

it('is over as soon as it ends', () => {
  expect(isOver(times, Date.parse('2026-12-04T02:59:59Z'))).toBe(false)
  expect(isOver(times, Date.parse(times.endsAt))).toBe(true)
})

it('shows who is going and how many seats are left', () => {
  expect(seatWords({ goingCount: 1200, capacity: null })).toBe('1,200 going')
  expect(seatWords({ goingCount: 12, capacity: 40 })).toBe('12 going · 28 seats left')
  expect(seatWords({ goingCount: 39, capacity: 40 })).toBe('39 going · 1 seat left')
  expect(seatWords({ goingCount: 40, capacity: 40 })).toBe('40 going · Full')
})

it('shows the parts of the place that the viewer is allowed to see', () => {
  expect(placeWords({ place: { locationId: null, venue: 'Creek Hall', address: null, city: 'Boulder, CO' } })).toBe(
    'Creek Hall, Boulder, CO',
  )
  expect(placeWords({ place: null })).toBeNull()
})
