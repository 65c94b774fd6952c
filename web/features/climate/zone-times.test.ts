import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toUtc } from './zone-times.ts'

/** What a clock of the zone shows, as if it were UTC. */
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

test('what a logger wrote from its clock is the moment at which it wrote', () => {
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
        // A file that begins or ends within the hour that comes twice does not say which one it is.
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

test('the hour that comes twice is told apart by the order of the readings', () => {
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

test('a time that no clock showed is taken as if it had not been set forward, and counted', () => {
  const { utc, skipped } = toUtc(['2026-03-08T01:30', '2026-03-08T02:30', '2026-03-08T03:45'].map(at), 'America/Denver')
  expect(iso(utc)).toEqual(['2026-03-08T08:30', '2026-03-08T09:30', '2026-03-08T09:45'])
  expect(skipped).toBe(1)
})

test('a reading an hour keeps both of the hour that comes twice', () => {
  const hourly = ['2026-11-01T00:00', '2026-11-01T01:00', '2026-11-01T01:00', '2026-11-01T02:00'].map(at)
  const moments = ['2026-11-01T06:00', '2026-11-01T07:00', '2026-11-01T08:00', '2026-11-01T09:00']
  expect(iso(toUtc(hourly, 'America/Denver').utc)).toEqual(moments)
  expect(iso(toUtc([...hourly].reverse(), 'America/Denver').utc)).toEqual([...moments].reverse())
})
