import { expect, test } from 'vitest'
import { formatSamples, regionChoices, regionName } from './units-part.tsx'

test('formats dates, times, and numbers by region, in English', () => {
  expect(formatSamples('US')).toEqual({
    date: 'Nov 21, 2026',
    time: expect.stringMatching(/^4:05\sPM$/),
    number: '1,234.5',
    price: '$35.00',
  })
  expect(formatSamples('DE')).toEqual({ date: '21 Nov 2026', time: '16:05', number: '1.234,5', price: '€35.00' })
})

test('preserves a region that is no longer offered', () => {
  expect(regionChoices('JP')).toContain('JP')
  expect(regionChoices(null)).not.toContain('JP')
  expect(regionChoices(null).map(regionName).slice(0, 3)).toEqual(['Argentina', 'Australia', 'Austria'])
})
