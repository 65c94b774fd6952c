import { expect, test } from 'vitest'
import { setRegion } from '#web/lib/format.ts'
import { dayWords, sizeWords } from './export-row.tsx'

test.each([
  [12, '1 KB'],
  [3_400_000, '3.2 MB'],
  [1_048_576, '1 MB'],
  [5 * 1024 ** 3, '5 GB'],
  [5_000 * 1024 ** 3, '5,000 GB'],
])('formats %i bytes as %s', (bytes, words) => {
  setRegion('US')
  expect(sizeWords(bytes)).toBe(words)
})

test('writes a date in full', () => {
  setRegion('US')
  expect(dayWords('2026-12-05T12:00:00.000Z')).toBe('December 5, 2026')
})
