import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adjustForRuns, type RunRecord } from './runs.ts'

const record = (genotypeId: string, runId: string | null, value: number, plantId = `${genotypeId} in ${runId}`): RunRecord => ({
  genotypeId,
  plantId,
  runId,
  value,
})
const checks = new Map([
  ['A', 'check'],
  ['B', 'check'],
  ['C', 'check'],
])

test('measures a run by its check', () => {
  const { effects, checkPlants, notComparable } = adjustForRuns(
    [
      record('check', 'A', 50),
      record('check', 'B', 70, 'one'),
      record('check', 'B', 90, 'two'),
      record('7', 'A', 60),
      record('8', 'B', 60),
    ],
    checks,
  )
  expect([...effects]).toEqual([
    ['A', -15],
    ['B', 15],
  ])
  expect([...checkPlants]).toEqual([
    ['A', 1],
    ['B', 2],
  ])
  expect(notComparable).toEqual([])
})

test('counts a plant once, however often it was measured', () => {
  const records = [
    record('check', 'A', 0),
    record('check', 'B', 10, 'one'),
    record('check', 'B', 20, 'two'),
    record('check', 'B', 20, 'two'),
  ]
  expect(adjustForRuns(records, checks).effects.get('B')).toBe(7.5)
})

test('leaves a run without the check unadjusted and reports it', () => {
  const records = [record('check', 'A', 5), record('check', 'B', 7), record('1', 'C', 3), record('2', null, 3)]
  const { effects, notComparable } = adjustForRuns(records, checks)
  expect([...effects.keys()]).toEqual(['A', 'B'])
  expect(notComparable).toEqual(['C', null])
})

test('leaves a single run unadjusted', () => {
  expect(adjustForRuns([record('1', 'A', 3), record('check', 'A', 9)], checks)).toMatchObject({ notComparable: [] })
  expect(adjustForRuns([record('1', null, 3), record('2', null, 9)], checks)).toMatchObject({ notComparable: [] })
  expect(adjustForRuns([], checks)).toMatchObject({ notComparable: [] })
})

test('adjusts nothing unless two runs share a check, and compares with the largest run', () => {
  const records = [record('1', 'A', 3), record('2', 'B', 4), record('3', 'B', 4), record('check', 'A', 1)]
  const { effects, notComparable } = adjustForRuns(records, checks)
  expect(effects.size).toBe(0)
  expect(notComparable).toEqual(['B'])
  expect(adjustForRuns(records.slice(0, 3), checks).notComparable).toEqual(['A'])
})

test('does not compare runs with different checks', () => {
  const others = new Map([...checks, ['C', 'other'], ['D', 'other']])
  const records = ['A', 'B', 'C', 'D'].flatMap((run) => [record('check', run, 1), record('other', run, 2), record(run, run, 3)])
  expect(adjustForRuns(records, others).notComparable).toEqual(['C', 'D'])
  expect(adjustForRuns([...records, record('5', 'C', 1)], others).notComparable).toEqual(['A', 'B'])
})

test('removes a constant added to all records of a run', () => {
  const value = fc.double({ min: -100, max: 100, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C'), value), { minLength: 1 }), value, (entries, effect) => {
      const plain = [
        ...['A', 'B', 'C'].map((run) => record('check', run, 10)),
        ...entries.map(([run, each], i) => record(`${i}`, run, each)),
      ]
      const shifted = plain.map((each) => (each.runId === 'B' ? { ...each, value: each.value + effect } : each))
      const settle = (records: RunRecord[]) => {
        const { effects } = adjustForRuns(records, checks)
        return records.map((each) => each.value - (effects.get(each.runId!) ?? 0))
      }
      const before = settle(plain)
      // All shift by a third of it, which it adds to the check's mean over the runs.
      for (const [i, after] of settle(shifted).entries()) expect(after - effect / 3).toBeCloseTo(before[i]!, 9)
    }),
  )
})
