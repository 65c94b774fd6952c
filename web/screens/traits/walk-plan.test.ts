import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import {
  blindScoreOf,
  drawLabels,
  labeledStops,
  newPlan,
  nextUnscoredStop,
  onToday,
  placesToWalk,
  plantsAt,
  scoredOn,
  scoresOf,
  stopsOf,
} from './walk-plan.ts'

const plant = (number: number, placement: LogPlant['placement'] = null, isAlive = true): LogPlant => ({
  ...{ id: `p${number}`, number, copy: 0, label: '', code: '', name: `#${number}`, isAlive, startedOn: null, placement },
})
const spot = (runId: string, row: number | null, column: number | null) => ({ runId, runName: `Run ${runId}`, row, column })
const runs = [
  { id: '1', room: 'Tent' },
  { id: '2', room: 'Tent' },
  { id: '10', room: 'Garage' },
]
/** Includes two rows of a bench in reverse order. */
const plants = [
  plant(1, spot('10', null, null)),
  plant(2, spot('2', 2, 2)),
  plant(3, spot('2', 2, 1)),
  plant(4),
  plant(5, spot('2', 1, 2)),
  plant(6, spot('2', 1, 1)),
  plant(7, spot('2', null, null)),
  plant(8, spot('1', 1, 1)),
  plant(9, spot('1', 1, 2), false),
]
const names = (change: Partial<ReturnType<typeof newPlan>>) => stopsOf({ ...newPlan('t'), ...change }, plants, runs).map(({ name }) => name)

test('walks run by run along the bench, then past plants without a spot or run', () => {
  expect(names({})).toEqual(['#8', '#6', '#5', '#3', '#2', '#7', '#1', '#4'])
  expect(names({ order: 'snake' })).toEqual(['#8', '#6', '#5', '#2', '#3', '#7', '#1', '#4'])
  expect(names({ order: 'number' })).toEqual(['#1', '#2', '#3', '#4', '#5', '#6', '#7', '#8'])
  expect(stopsOf(newPlan('t'), plants, runs).map(({ spot }) => spot)).toEqual([
    ...['A1 · Run 1', 'A1 · Run 2', 'A2 · Run 2', 'B1 · Run 2', 'B2 · Run 2', 'Run 2', 'Run 10', ''],
  ])
})

test('offers only the runs and shared rooms with living plants, and walks only the chosen one', () => {
  expect(placesToWalk(plants, runs)).toEqual([
    { value: 'room:Tent', label: 'Tent' },
    { value: 'run:10', label: 'Run 10, Garage' },
    { value: 'run:2', label: 'Run 2, Tent' },
    { value: 'run:1', label: 'Run 1, Tent' },
  ])
  expect(names({ where: 'run:2' })).toEqual(['#6', '#5', '#3', '#2', '#7'])
  expect(names({ where: 'room:Tent' })).toEqual(['#8', '#6', '#5', '#3', '#2', '#7'])
  expect(plantsAt('run:gone', plants, runs)).toHaveLength(8)
})

test('draws distinct labels, in an order that reveals nothing about the plants', () => {
  const ids = plants.map(({ id }) => id)
  const labels = drawLabels(ids)
  expect(Object.keys(labels)).toEqual(ids)
  expect(new Set(Object.values(labels)).size).toBe(ids.length)
  for (const label of Object.values(labels)) expect(label).toMatch(/^[B-DF-HJ-NP-TV-Z]{2}$/)
  expect(Object.values(drawLabels(Array.from({ length: 500 }, (_, i) => `p${i}`)))).toHaveLength(500)
  const given = { p1: 'ZZ', p2: 'BB', p9: 'CC' }
  const blind = stopsOf({ ...newPlan('t'), labels: given, order: 'number' }, plants, runs)
  expect(blind).toEqual([
    { plantId: 'p2', name: 'BB', spot: '' },
    { plantId: 'p1', name: 'ZZ', spot: '' },
  ])
})

test('skips harvested plants, but keeps their labels for the reveal', () => {
  const plan = { ...newPlan('t'), labels: { p1: 'ZZ', p8: 'BB', p9: 'CC', gone: 'DD' }, order: 'number' as const }
  const harvested = plants.map((each) => ({ ...each, isAlive: false }))
  const named = (stops: readonly { name: string }[]) => stops.map(({ name }) => name)
  expect(named(stopsOf(plan, plants, runs))).toEqual(['BB', 'ZZ'])
  expect(named(labeledStops(plan, plants))).toEqual(['BB', 'CC', 'ZZ'])
  expect(named(stopsOf(plan, harvested, runs))).toEqual([])
  expect(named(labeledStops(plan, harvested))).toEqual(['BB', 'CC', 'ZZ'])
})

const record = (plantId: string, on: string, number: number, isOwn: boolean): TraitRecord => ({
  ...{ traitId: 't', plantId, genotypeId: plantId, runId: null, observer: '0', on, number },
  ...(isOwn && { isOwn }),
})

test('distinguishes the person’s score of that day from the newest other score', () => {
  const records = [record('p1', '2026-03-02', 4, true), record('p1', '2026-03-02', 2, false), record('p1', '2026-02-01', 3, true)]
  expect(scoresOf(records, 't', 'p1', '2026-03-02')).toMatchObject({ own: { number: 4 }, last: { number: 2 } })
  expect(scoresOf(records, 't', 'p1', '2026-03-03')).toMatchObject({ own: null, last: { number: 4 } })
  expect(scoresOf(records, 'u', 'p1', '2026-03-02')).toEqual({ own: null, last: null })
  expect([...scoredOn(records, 't', '2026-03-02')]).toEqual(['p1'])
})

test('finds a blind score from any day since the labels were drawn', () => {
  const blind = (on: string, number: number) => ({ ...record('p1', on, number, true), isBlind: true as const })
  const records = [blind('2026-03-02', 4), blind('2026-02-01', 3), record('p1', '2026-03-03', 2, true)]
  const day = '2026-03-04'
  expect(blindScoreOf(records, 't', 'p1', { day, labeledOn: '2026-03-02' })).toMatchObject({ number: 4 })
  expect(blindScoreOf(records, 't', 'p1', { day, labeledOn: '2026-03-03' })).toBeNull()
  expect(blindScoreOf(records, 't', 'p1', { day: '2026-02-01', labeledOn: '2026-03-03' })).toMatchObject({ number: 3 })
  expect(blindScoreOf(records, 't', 'p1', { day: '2026-03-02' })).toMatchObject({ number: 4 })
})

test('visits every plant once from any start, and ends when all are scored', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(), (count, start) => {
      const stops = Array.from({ length: count }, (_, i) => ({ plantId: `p${i}`, name: `#${i}`, spot: '' }))
      const visited: string[] = []
      for (let stop = stops[start % count] ?? null; stop !== null; stop = nextUnscoredStop(stops, stop.plantId, new Set(visited))) {
        visited.push(stop.plantId)
        if (visited.length > count) break
      }
      expect(visited.toSorted()).toEqual(stops.map(({ plantId }) => plantId).toSorted())
    }),
  )
})

test('switches to today’s date on another day, but keeps an earlier date that was chosen today', () => {
  const plan = { ...newPlan('t'), day: '2026-03-01', usedOn: '2026-03-02' }
  expect(onToday(plan, '2026-03-02')).toBe(plan)
  expect(onToday(plan, '2026-03-03')).toEqual({ ...plan, day: '2026-03-03', usedOn: '2026-03-03' })
})
