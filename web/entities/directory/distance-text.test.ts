import { expect, test } from 'vitest'
import { distanceText, radiusText, radiusWords } from './distance-text.ts'

const pin = { latitude: 39, longitude: -105 }

test.each([
  [null, 'premise', null],
  [0, 'premise', 'under 0.1 mi'],
  [0.4, 'premise', '0.4 mi'],
  [9.96, 'premise', '10.0 mi'],
  [10.4, 'premise', '10 mi'],
  [1234.4, 'premise', '1,234 mi'],
  // Farms are pinned to the center of their city, so tenths would be false precision.
  [3, 'city', 'about 3 mi'],
  [4.6, 'city', 'about 5 mi'],
  [4.6, 'zip', 'about 5 mi'],
] as const)('formats %s miles to a %s as %s', (distanceMiles, precision, text) => {
  expect(distanceText({ distanceMiles, pin: { ...pin, precision } }, 'mi')).toBe(text)
})

test('rounds kilometers like miles, and radii to round numbers', () => {
  const premise = { ...pin, precision: 'premise' } as const
  expect(distanceText({ distanceMiles: 1, pin: premise }, 'km')).toBe('1.6 km')
  expect(distanceText({ distanceMiles: 0.05, pin: premise }, 'km')).toBe('under 0.1 km')
  expect(distanceText({ distanceMiles: 100, pin: { ...pin, precision: 'city' } }, 'km')).toBe('about 161 km')
  expect([5, 10, 25, 50, 100, 250, 500].map((miles) => radiusText(miles, 'km'))).toEqual(
    ['8', '16', '40', '80', '160', '400', '800'].map((km) => `${km} km`),
  )
  expect([radiusWords(1, 'mi'), radiusWords(25, 'mi'), radiusText(25, 'mi')]).toEqual(['1 mile', '25 miles', '25 mi'])
})
