import { afterEach, expect, test, vi } from 'vitest'
import { formatDay, formatLocalDay } from './hunt-words.ts'

afterEach(() => void vi.unstubAllEnvs())

test('shows a moment on its local day, and a day as it is', () => {
  vi.stubEnv('TZ', 'America/Denver')
  expect(formatLocalDay('2026-11-03T02:00:00.000Z')).toBe('Nov 2, 2026')
  expect(formatDay('2026-11-03')).toBe('Nov 3, 2026')
})
