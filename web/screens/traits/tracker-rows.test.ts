import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import {
  desirabilityFor,
  matrixGenotypes,
  plotTraits,
  plotValues,
  type TrackerGenotype,
  trackerOf,
  usualAxes,
  withPending,
  yieldPotency,
} from './tracker-rows.ts'

const trait = (id: string, details: Partial<Trait> = {}): Trait => ({
  id,
  huntId: 'hunt',
  name: id,
  kind: 'number',
  source: 'observation',
  analyte: null,
  unit: '',
  options: [],
  direction: 'none',
  low: null,
  high: null,
  target: null,
  weight: 0,
  heritability: null,
  must: null,
  fromStage: null,
  toStage: null,
  isExpert: false,
  position: 1,
  isArchived: false,
  valuesCount: 0,
  version: 1,
  ...details,
})
const genotype = (number: number, plants: string[], details: Partial<TrackerGenotype> = {}): TrackerGenotype => ({
  id: `g${number}`,
  number,
  label: '',
  standing: null,
  plants: plants.map((id) => ({ id })),
  ...details,
})
const record = (traitId: string, genotypeId: string, plantId: string, number: number, on = '2026-03-01'): TraitRecord => ({
  traitId,
  genotypeId,
  plantId,
  runId: null,
  observer: null,
  on,
  number,
})

test('averages the plants’ means, so frequent measurements don’t weigh more', () => {
  const records = [
    record('height', 'g1', 'a', 10),
    record('height', 'g1', 'a', 20),
    record('height', 'g1', 'a', 30),
    record('height', 'g1', 'b', 40),
  ]
  const { rows } = trackerOf([trait('height')], [genotype(1, ['a', 'b']), genotype(2, ['c'])], records)
  expect(rows[0]?.cells.height).toEqual({ value: 30, number: 30, desirability: null, plants: 2, isBelowLimit: false })
  expect(rows[1]?.cells).toEqual({})
})

test('scores a value by the trait’s curve, and not at all if the trait has no valid curve', () => {
  const vigor = trait('vigor', { kind: 'ordinal', direction: 'max', low: 1, high: 5 })
  const { rows } = trackerOf([vigor], [genotype(1, ['a'])], [record('vigor', 'g1', 'a', 4)])
  expect(rows[0]?.cells.vigor?.desirability).toBe(0.75)
  expect(desirabilityFor(trait('x'))).toBeNull()
  expect(desirabilityFor({ direction: 'target', low: 1, high: 3, target: 9 })).toBeNull()
  expect(desirabilityFor({ direction: 'target', low: 1, high: 4, target: 2 })?.(3)).toBe(0.5)
})

test('shows the options of each plant’s newest entry, and counts photos', () => {
  const options = ['Citrus', 'Gas'].map((label, value) => ({ value, label }))
  const aroma = trait('aroma', { kind: 'checks', options })
  const seen = (plantId: string, on: string, values: number[]): TraitRecord => {
    const { number: _, ...rest } = record('aroma', 'g1', plantId, 0, on)
    return { ...rest, options: values }
  }
  const records = [seen('a', '2026-03-05', [1]), seen('a', '2026-03-01', [0]), seen('b', '2026-03-01', [0])]
  const { rows } = trackerOf([aroma], [genotype(1, ['a', 'b'])], records)
  expect(rows[0]?.cells.aroma).toMatchObject({ value: 'Citrus, Gas', number: null, plants: 2 })
  const photo = trackerOf(
    [trait('bud', { kind: 'photo' })],
    [genotype(1, ['a'])],
    [record('bud', 'g1', 'a', 0), record('bud', 'g1', 'a', 0)],
  )
  expect(photo.rows[0]?.cells.bud?.value).toBe('2 photos')
})

test('hides archived traits, and shows keepers and decisions beside the names', () => {
  const genotypes = [genotype(1, ['a'], { standing: 'keep', label: 'Lemon' }), genotype(2, ['b'], { standing: 'cull' })]
  const tracker = trackerOf([trait('old', { isArchived: true })], genotypes, [record('old', 'g1', 'a', 1)])
  expect(tracker.traits).toEqual([])
  expect(matrixGenotypes(tracker)).toEqual([
    { genotypeId: 'g1', name: '#1 Lemon', isKeeper: true, cells: {} },
    { genotypeId: 'g2', name: '#2', isKeeper: false, note: 'Cull', cells: {} },
  ])
})

test('uses the matrix’s numbers in every plot', () => {
  const traits = [
    trait('dry', { source: 'dry_weight', direction: 'max', low: 0, high: 100 }),
    trait('thc', { source: 'lab', analyte: 'Total THC', direction: 'max', low: 0, high: 30 }),
    trait('days', { direction: 'target', low: 1, high: 99, target: 60 }),
  ]
  const genotypes = [1, 2, 3].map((number) => genotype(number, [`${number}a`, `${number}b`]))
  const one = fc.record({
    traitId: fc.constantFrom('dry', 'thc', 'days'),
    of: fc.integer({ min: 1, max: 3 }),
    plant: fc.constantFrom('a', 'b'),
    number: fc.integer({ min: -20, max: 120 }),
  })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 30 }), (seen) => {
      const records = seen.map(({ traitId, of, plant, number }) => record(traitId, `g${of}`, `${of}${plant}`, number))
      const tracker = trackerOf(traits, genotypes, records)
      const cells = new Map(matrixGenotypes(tracker).map((row) => [row.genotypeId, row.cells]))
      for (const { genotypeId, values } of plotValues(tracker)) {
        for (const { id } of plotTraits(tracker)) expect(values[id] ?? null).toBe(cells.get(genotypeId)?.[id]?.value ?? null)
      }
      const { yieldId, potencyId } = usualAxes(traits)
      const points = yieldPotency(tracker, yieldId as string, potencyId as string)
      for (const { genotypeId, yield: x, potency: y } of points) {
        expect([x, y]).toEqual([cells.get(genotypeId)?.dry?.value, cells.get(genotypeId)?.thc?.value])
      }
      expect(points.length).toBe([...cells.values()].filter(({ dry, thc }) => dry && thc).length)
    }),
  )
})

test('counts pending entries as delivered, except for photos, blocked entries, and corrections of unknown scores', () => {
  const row = (details: object) => ({
    traitId: 't',
    plantId: 'a',
    observedOn: '2026-03-01',
    value: { kind: 'number', number: 4 },
    correctsId: null,
    isBlind: true,
    ...details,
  })
  const write = (observations: object[], hold: null | { kind: 'refused'; message: string; fields: object } = null) =>
    ({ body: { observations }, hold }) as Parameters<typeof withPending>[1][number]
  const plants = new Map([['a', 'g1']])
  const writes = [
    write([row({}), row({ plantId: 'gone' }), row({ correctsId: 'x' }), row({ value: { kind: 'photo', mediaId: '' } })]),
    write([row({})], { kind: 'refused', message: '', fields: {} }),
  ]
  const pending = { traitId: 't', plantId: 'a', genotypeId: 'g1', runId: null, observer: null, isOwn: true, on: '2026-03-01' }
  expect(withPending([], writes, plants)).toEqual([{ ...pending, number: 4, isBlind: true }])

  // A correction replaces only the person's own score of that day, and undoing it restores that score.
  const sent = [
    { ...pending, number: 1 },
    { ...pending, number: 2, on: '2026-03-02' },
    { ...pending, number: 3, isOwn: false },
  ]
  const again = { sameDay: 'correct', isBlind: false }
  expect(withPending(sent, [write([row(again)])], plants).map(({ number }) => number)).toEqual([2, 3, 4])
  const undone = row({ ...again, correctsId: 'x', value: { kind: 'number', number: 1 } })
  expect(withPending(sent, [write([row(again)]), write([undone])], plants).map(({ number }) => number)).toEqual([2, 3, 1])
  expect(withPending(sent, [write([row({ ...again, correctsId: 'x', value: null })])], plants).map(({ number }) => number)).toEqual([2, 3])

  // An import's only value for a day replaces the person's score. Several values are added.
  const once = row({ sameDay: 'once', isBlind: false })
  expect(withPending(sent, [write([once])], plants).map(({ number }) => number)).toEqual([2, 3, 4])
  expect(withPending(sent, [write([once, once])], plants).map(({ number }) => number)).toEqual([1, 2, 3, 4, 4])
})
