import { expect, test } from 'vitest'
import { storedUnits } from '#web/lib/units.ts'
import { activityWords } from './recent-activity.tsx'

const american = { ...storedUnits, length: 'in', mass: 'oz' } as const

test('describes events in the viewer’s units', () => {
  const log = { summary: 'Log of #4: 20.32 cm, rated 8', detail: { heightCm: 20.32, rating: 8 } }
  expect(activityWords(log, storedUnits)).toBe('Log of #4: 20.32 cm, rated 8')
  expect(activityWords(log, american)).toBe('Log of #4: 8 in, rated 8')
  const harvest = { summary: 'Harvest of #4 recorded: 56.7 g dry', detail: { dryGrams: 56.7 } }
  expect(activityWords(harvest, american)).toBe('Harvest of #4 recorded: 2 oz dry')
  expect(activityWords({ summary: '12 seeds numbered', detail: { count: 12 } }, american)).toBe('12 seeds numbered')
})
