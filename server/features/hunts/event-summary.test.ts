import { expect, test } from 'vitest'
import { huntEventKinds } from '#contracts/hunts.endpoints.ts'
import { summaryOf } from './hunt-activity.ts'

const about = (number: number | null, copy: number | null, detail = {}) => ({ number, copy, detail })

test('describes in one line what happened to which plant', () => {
  expect(summaryOf({ kind: 'plant.rooted', ...about(7, 2) })).toBe('Clone 2 of #7 rooted')
  expect(summaryOf({ kind: 'plant.ended', ...about(7, 0, { how: 'given_away' }) })).toBe('#7 given away')
  expect(summaryOf({ kind: 'seeds.added', ...about(null, null, { count: 1 }) })).toBe('1 seed numbered')
  expect(summaryOf({ kind: 'seeds.added', ...about(null, null, { count: 12 }) })).toBe('12 seeds numbered')
  expect(summaryOf({ kind: 'log.written', ...about(3, 0, { heightCm: 84, rating: 7 }) })).toBe('Log for #3: 84 cm, rated 7')
  expect(summaryOf({ kind: 'harvest.recorded', ...about(3, 0, { dryGrams: 61.5 }) })).toBe('Harvest of #3 recorded: 61.5 g dry')
  expect(summaryOf({ kind: 'log.written', ...about(null, null) })).toBe('Log for the hunt')
  expect(summaryOf({ kind: 'decision.made', ...about(7, null, { kind: 'breed' }) })).toBe('Decided to breed with #7')
  const cull = { kind: 'decision.made' as const, ...about(11, null, { kind: 'cull' }) }
  expect(summaryOf({ ...cull, endedPlants: 0 })).toBe('Decided to cull #11')
  expect(summaryOf({ ...cull, endedPlants: 2 })).toBe('Decided to cull #11: 2 plants ended')
})

test('has a sentence for every event, even with missing facts', () => {
  for (const kind of huntEventKinds) {
    for (const [number, copy] of [
      [null, null],
      [4, null],
      [4, 0],
      [4, 3],
    ] as const) {
      const summary = summaryOf({ kind, ...about(number, copy) })
      expect(summary, kind).toMatch(/^[A-Z#\d].+/)
      expect(summary, kind).not.toMatch(/undefined|null|NaN/)
    }
  }
})
