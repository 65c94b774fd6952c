import { expect, test } from 'vitest'
import { setRegion } from '#web/lib/format.ts'
import { dayWords } from './export-row.tsx'

test('writes a date in full', () => {
  setRegion('US')
  expect(dayWords('2026-12-05T12:00:00.000Z')).toBe('December 5, 2026')
})
