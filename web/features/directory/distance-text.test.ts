import { expect, test } from 'vitest'
import { distanceText } from './distance-text.ts'

const pin = { latitude: 39, longitude: -105 }

test.each([
  [null, 'premise', null],
  [0, 'premise', 'under 0.1 mi'],
  [0.4, 'premise', '0.4 mi'],
  [9.96, 'premise', '10.0 mi'],
  [10.4, 'premise', '10 mi'],
  [1234.4, 'premise', '1,234 mi'],
  // A farm stands at the center of its city: tenths would be made up.
  [3, 'city', 'about 3 mi'],
  [4.6, 'city', 'about 5 mi'],
  [4.6, 'zip', 'about 5 mi'],
] as const)('%s miles to a %s is %s', (distanceMiles, precision, text) => {
  expect(distanceText({ distanceMiles, pin: { ...pin, precision } })).toBe(text)
})
