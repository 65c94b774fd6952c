import { expect, test } from 'vitest'
import { blankLocation, boxAround, centerOf, comingHolidays, federalHolidays, locationResolver, pinHint } from './location-form.tsx'

test('lists the federal holidays of 2026', () => {
  expect(federalHolidays(2026).map(({ day }) => day)).toEqual([
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-07-04',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ])
})

test('finds holidays early and late in their months', () => {
  // In 2027, May 31 is a Monday. In 2028, November 2 is the first Thursday, and January 3 the first Monday.
  expect(federalHolidays(2027)[3]?.day).toBe('2027-05-31')
  expect(federalHolidays(2028)[9]?.day).toBe('2028-11-23')
  expect(federalHolidays(2028)[1]?.day).toBe('2028-01-17')
})

test('lists the holidays from a date into the next year', () => {
  const coming = comingHolidays('2026-11-21')
  expect(coming.map(({ name }) => name).slice(0, 3)).toEqual(['Thanksgiving', 'Christmas Day', 'New Year’s Day'])
  expect(coming).toHaveLength(11)
})

test('centers a map closer to the pole than its middle latitude', () => {
  const { latitude, longitude } = centerOf({ west: -105, east: -104, south: 0, north: 60 })
  expect(longitude).toBe(-104.5)
  expect(latitude).toBeCloseTo(35.26, 1)
  expect(centerOf({ west: -105, east: -105, south: 39.7, north: 39.7 })).toEqual({ latitude: 39.7, longitude: -105 })
})

test('states that a person moved the pin only if they did', () => {
  const [saved, moved] = [
    { latitude: 39.7, longitude: -105 },
    { latitude: 39.8, longitude: -105 },
  ]
  expect(pinHint(saved, saved)).toBe('This is the pin on your page. Move it if it isn’t at the door.')
  expect(pinHint(moved, saved)).toBe('You moved the pin here.')
  expect(pinHint(moved, null)).toBe('You moved the pin here.')
  expect(pinHint(null, saved)).toContain('We place the pin based on the address.')
})

test('centers a map that crosses the antimeridian', () => {
  expect(centerOf({ west: 170, east: -160, south: 0, north: 0 }).longitude).toBe(-175)
})

test('draws a box with a margin around all points', () => {
  expect(boxAround([])).toBeNull()
  expect(
    boxAround([
      { latitude: 40, longitude: -105 },
      { latitude: 39, longitude: -104 },
    ]),
  ).toEqual({
    west: -105.05,
    east: -103.95,
    south: 38.95,
    north: 40.05,
  })
})

test('marks a wrong special day, but drops it if opening hours are off, where no one could correct it', async () => {
  const closed = { day: '2026-12-25', intervals: [], note: 'Christmas' }
  const wrong = {
    day: '2026-12-24',
    note: '',
    intervals: [
      { opens: 540, closes: 720 },
      { opens: 600, closes: 780 },
    ],
  }
  const values = { ...blankLocation('America/Denver'), name: 'Main', location: 'Denver, CO', specialDays: [closed, wrong] }
  const options = { fields: {}, shouldUseNativeValidation: false }
  expect(await locationResolver(values, undefined, options)).toMatchObject({ errors: { hours: { type: 'validate' } } })
  const checked = await locationResolver({ ...values, hasHours: false }, undefined, options)
  expect(checked).toMatchObject({ errors: {}, values: { hours: null, specialDays: [closed] } })
})
