import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { listKeptPhenos } from '#contracts/calls/plants.ts'
import { activeText, formatDay, formatLocalDay } from './hunt-words.ts'
import { refreshHunts } from './hunts.api.ts'

afterEach(() => void vi.unstubAllEnvs())

test('shows a timestamp as its local day, and a plain date unchanged', () => {
  vi.stubEnv('TZ', 'America/Denver')
  expect(formatLocalDay('2026-11-03T02:00:00.000Z')).toBe('Nov 2, 2026')
  expect(formatDay('2026-11-03')).toBe('Nov 3, 2026')
})

test('doesn’t claim that the hunts loaded so far are all active ones', () => {
  const hunts = [{ isActive: true }, { isActive: false }, { isActive: true }]
  expect([activeText(hunts, false), activeText(hunts, true)]).toEqual(['2 Active', '2+ Active'])
})

test('refetches the keepers with their hunts, whose names they show', async () => {
  const client = new QueryClient()
  client.setQueryData([listKeptPhenos.path], [])
  await refreshHunts(client)
  expect(client.getQueryState([listKeptPhenos.path])?.isInvalidated).toBe(true)
})
