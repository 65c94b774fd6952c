import { expect, test } from 'vitest'
import { clockWords, comingDays, intervalsWords, localMoment, openWords, specialDayWords, weekLines } from './hours-words.ts'

const nine = { opens: 540, closes: 1260 }
const zone = 'America/Denver'

test.each([
  [0, 'midnight'],
  [1440, 'midnight'],
  [30, '12:30 AM'],
  [540, '9 AM'],
  [720, 'noon'],
  [750, '12:30 PM'],
  [1290, '9:30 PM'],
])('formats minute %i of the day as %s', (minutes, words) => {
  expect(clockWords(minutes)).toBe(words)
})

test('puts opening hours into words', () => {
  expect(intervalsWords([])).toBe('Closed')
  expect(intervalsWords([nine])).toBe('9 AM – 9 PM')
  expect(intervalsWords([{ opens: 0, closes: 1440 }])).toBe('Open 24 hours')
  expect(intervalsWords([{ opens: 0, closes: 0 }])).toBe('Open 24 hours')
  expect(intervalsWords([{ opens: 1080, closes: 120 }])).toBe('6 PM – 2 AM')
  expect(
    intervalsWords([
      { opens: 540, closes: 720 },
      { opens: 780, closes: 1080 },
    ]),
  ).toBe('9 AM – noon, 1 PM – 6 PM')
})

test('groups days with the same hours', () => {
  const lines = (hours: Parameters<typeof weekLines>[0]) => weekLines(hours).map(({ days, words }) => `${days}: ${words}`)
  expect(lines(Array.from({ length: 7 }, () => [nine]))).toEqual(['Every day: 9 AM – 9 PM'])
  expect(lines([[nine], [nine], [nine], [nine], [nine], [], []])).toEqual(['Monday – Friday: 9 AM – 9 PM', 'Saturday and Sunday: Closed'])
  expect(lines([[], [nine], [nine], [nine], [nine], [nine], []])).toEqual([
    'Monday: Closed',
    'Tuesday – Saturday: 9 AM – 9 PM',
    'Sunday: Closed',
  ])
})

test('computes the day and time in the business’s time zone', () => {
  expect(localMoment(new Date('2026-11-22T04:30:00Z'), zone)).toEqual({ day: '2026-11-21', weekday: 5, minutes: 21 * 60 + 30 })
})

// A Saturday, 8 PM in Denver.
const now = new Date('2026-11-22T03:00:00Z')
const words = (isOpen: boolean, changesAt: string | null) => openWords({ timeZone: zone, openNow: { isOpen, changesAt, note: null } }, now)

test.each([
  [true, '2026-11-22T04:00:00Z', 'Open now', 'closes 9 PM'],
  [true, '2026-11-22T09:00:00Z', 'Open now', 'closes 2 AM'],
  [true, '2026-11-22T18:00:00Z', 'Open now', 'closes tomorrow 11 AM'],
  [true, null, 'Open now', null],
  [false, '2026-11-22T16:00:00Z', 'Closed', 'opens tomorrow 9 AM'],
  [false, '2026-11-23T16:00:00Z', 'Closed', 'opens Monday 9 AM'],
  [false, '2026-11-22T03:30:00Z', 'Closed', 'opens 8:30 PM'],
  [false, null, 'Closed', null],
  // The change was an hour ago, while the page was open.
  [true, '2026-11-22T02:00:00Z', 'Closed', null],
] as const)('describes hours with isOpen %s and a change at %s as %j and %j', (isOpen, changesAt, state, change) => {
  expect(words(isOpen, changesAt)).toMatchObject({ state, change })
})

test('shows no open state if the hours are missing', () => {
  expect(openWords({ timeZone: zone, openNow: null }, now)).toBeNull()
})

test('lists special days of the next two weeks in order', () => {
  const day = (text: string) => ({ day: text, intervals: [], note: '' })
  const special = [day('2026-11-26'), day('2026-11-20'), day('2026-11-21'), day('2026-12-25')]
  expect(comingDays(special, zone, now).map((each) => each.day)).toEqual(['2026-11-21', '2026-11-26'])
  expect(specialDayWords('2026-11-26')).toBe('Thu, Nov 26')
})
