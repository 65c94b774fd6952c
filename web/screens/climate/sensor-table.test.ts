import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderOf, readTime, toUtc } from './sensor-table.ts'

const local = (text: string, order: 'ymd' | 'mdy' | 'dmy' = 'ymd') => {
  const time = readTime(text, order)
  return time && 'local' in time ? new Date(time.local).toISOString().slice(0, 19) : time
}

test('reads times without a zone as local time', () => {
  expect(local('2026-08-06 09:22:00')).toBe('2026-08-06T09:22:00')
  expect(local('2026-08-06T09:22')).toBe('2026-08-06T09:22:00')
  expect(local('06/04/2026, 02:05:00\u202fPM', 'mdy')).toBe('2026-06-04T14:05:00')
  expect(local('6/4/26 12:05 am', 'mdy')).toBe('2026-06-04T00:05:00')
  expect(local('04.06.2026 14:05', 'dmy')).toBe('2026-06-04T14:05:00')
  expect(local('2026-08-06 09:22:00.500')).toBe('2026-08-06T09:22:00')
})

test('reads times with a zone as instants', () => {
  const moment = Date.UTC(2026, 3, 24, 10)
  for (const text of [
    '2026-04-24T10:00:00.000Z',
    '2026-04-24 04:00:00-06:00',
    '2026-04-24T12:00:00+0200',
    '2026-04-24 10:00 UTC',
    '1777024800',
    '1777024800000',
  ]) {
    expect(readTime(text, 'ymd'), text).toEqual({ utc: moment })
  }
})

test('rejects other text as a time', () => {
  for (const text of [
    '',
    'yesterday',
    '2026-02-30 10:00',
    '2026-13-01',
    '2026-01-01 24:00',
    '13:30',
    '01/01/2026 13:00 PM',
    '24.5',
    '2026-01-01 10:61',
  ]) {
    expect(readTime(text, 'ymd'), text).toBeNull()
  }
})

test('infers the order of day and month from the dates', () => {
  expect(orderOf(['2026-01-02 10:00'])).toBe('ymd')
  expect(orderOf(['01/02/2026', '01/13/2026'])).toBe('mdy')
  expect(orderOf(['01.02.2026', '13.02.2026'])).toBe('dmy')
  expect(orderOf(['01/02/2026', '02/02/2026'])).toBeNull()
})

/** The returned function converts UTC to wall-clock time in the zone, as if that were UTC. */
function clockOf(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (utc: number) => Date.parse(`${format.format(utc).replace(' ', 'T')}Z`)
}

const zones = [
  'America/Denver',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/St_Johns',
  'UTC',
  'Africa/Casablanca',
]
const minute = 60_000

test('converts a logger’s local time to the instant it was written', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 11, 1) }),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      (zone, start, step, isNewestFirst) => {
        const clock = clockOf(zone)
        const first = Math.floor(start / minute) * minute
        const moments = Array.from({ length: 400 }, (_, i) => first + i * step * minute)
        // Files that start or end within the repeated hour are ambiguous.
        const isTwice = (at: number) => [-60, -30, 30, 60].some((by) => clock(at + by * minute) === clock(at))
        fc.pre(zone !== 'Australia/Lord_Howe' || step <= 30)
        fc.pre(!isTwice(first) && !isTwice(moments.at(-1) as number))
        if (isNewestFirst) moments.reverse()
        const { utc, skipped } = toUtc(moments.map(clock), zone)
        expect(skipped).toBe(0)
        expect(utc).toEqual(moments)
      },
    ),
    { numRuns: 150 },
  )
})

const at = (text: string) => Date.parse(`${text}:00Z`)
const iso = (times: number[]) => times.map((time) => new Date(time).toISOString().slice(0, 16))

test('resolves the repeated hour by the order of the readings', () => {
  const fall = ['2026-11-01T00:30', '2026-11-01T01:00', '2026-11-01T01:30', '2026-11-01T01:00', '2026-11-01T01:30', '2026-11-01T02:00'].map(
    at,
  )
  const { utc, repeated, skipped } = toUtc(fall, 'America/Denver')
  expect(iso(utc)).toEqual([
    '2026-11-01T06:30',
    '2026-11-01T07:00',
    '2026-11-01T07:30',
    '2026-11-01T08:00',
    '2026-11-01T08:30',
    '2026-11-01T09:00',
  ])
  expect([repeated, skipped]).toEqual([4, 0])
  const newestFirst = toUtc([...fall].reverse(), 'America/Denver')
  expect(newestFirst.utc).toEqual([...utc].reverse())
})

test('shifts and counts times skipped by the clock change', () => {
  const { utc, skipped } = toUtc(['2026-03-08T01:30', '2026-03-08T02:30', '2026-03-08T03:45'].map(at), 'America/Denver')
  expect(iso(utc)).toEqual(['2026-03-08T08:30', '2026-03-08T09:30', '2026-03-08T09:45'])
  expect(skipped).toBe(1)
})

test('keeps both passes of the repeated hour even with hourly readings', () => {
  const hourly = ['2026-11-01T00:00', '2026-11-01T01:00', '2026-11-01T01:00', '2026-11-01T02:00'].map(at)
  const moments = ['2026-11-01T06:00', '2026-11-01T07:00', '2026-11-01T08:00', '2026-11-01T09:00']
  expect(iso(toUtc(hourly, 'America/Denver').utc)).toEqual(moments)
  expect(iso(toUtc([...hourly].reverse(), 'America/Denver').utc)).toEqual([...moments].reverse())
})
