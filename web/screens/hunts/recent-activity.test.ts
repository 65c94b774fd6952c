import { afterEach, expect, test, vi } from 'vitest'
import { storedUnits } from '#web/lib/units.ts'
import { activityWords, isOfAnotherDay } from './recent-activity.tsx'

afterEach(() => vi.unstubAllEnvs())

const american = { ...storedUnits, length: 'in', mass: 'oz' } as const

test('describes events in the viewer’s units', () => {
  const log = { summary: 'Log for #4: 20.32 cm, rated 8', detail: { heightCm: 20.32, rating: 8 } }
  expect(activityWords(log, storedUnits)).toBe('Log for #4: 20.32 cm, rated 8')
  expect(activityWords(log, american)).toBe('Log for #4: 8 in, rated 8')
  const harvest = { summary: 'Harvest of #4 recorded: 56.7 g dry', detail: { dryGrams: 56.7 } }
  expect(activityWords(harvest, american)).toBe('Harvest of #4 recorded: 2 oz dry')
  expect(activityWords({ summary: '12 seeds numbered', detail: { count: 12 } }, american)).toBe('12 seeds numbered')
})

test.each(['America/Los_Angeles', 'Asia/Tokyo'])('compares the day of an event with the day it was recorded, in %s', (zone) => {
  vi.stubEnv('TZ', zone)
  const evening = new Date(2026, 10, 28, 20, 30).toISOString()
  const morning = new Date(2026, 10, 28, 6, 30).toISOString()
  for (const recordedAt of [evening, morning]) {
    expect(isOfAnotherDay({ happenedOn: '2026-11-28', recordedAt })).toBe(false)
    expect(isOfAnotherDay({ happenedOn: '2026-11-27', recordedAt })).toBe(true)
  }
})
