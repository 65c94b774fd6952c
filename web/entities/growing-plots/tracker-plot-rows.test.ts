import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testLook } from './look.test-support.ts'
import { parallelDrawing, parallelPlaces } from './parallel-plot.tsx'
import { radarDrawing } from './radar-plot.tsx'
import { endTexts, type PlotTrait, piecesOf, placeOn, traitAxes, traitColumns, traitLines } from './tracker-plot-rows.ts'

const traits: PlotTrait[] = [
  { id: 'a', name: 'Yield', unit: 'g', direction: 'max' },
  { id: 'b', name: 'Days', unit: 'd', direction: 'min' },
  { id: 'c', name: 'Height', unit: 'cm', direction: 'target', target: 110 },
  { id: 'd', name: 'Stretch', direction: 'target' },
]
const value = fc.option(fc.double({ min: 0, max: 200, noNaN: true }))
const genotypes = fc
  .array(fc.record({ a: value, b: value, c: value, d: value }), { minLength: 1, maxLength: 12 })
  .map((all) => all.map((values, nth) => ({ genotypeId: `g${nth}`, name: `#${nth}`, values })))

test('puts every stop at its row’s value, with a gap for missing values', () => {
  fc.assert(
    fc.property(genotypes, (rows) => {
      const axes = traitAxes(traits, rows)
      const columns = traitColumns(axes)
      for (const { row, stops } of traitLines(rows, axes)) {
        expect(stops.map((stop) => stop?.value ?? null)).toEqual(columns.slice(1).map((column) => column.value(row)))
        for (const stop of stops) if (stop) expect(stop.place >= 0 && stop.place <= 1).toBe(true)
      }
    }),
  )
})

test('maps a position on an axis back to its value', () => {
  fc.assert(
    fc.property(genotypes, (rows) => {
      const axes = traitAxes(traits, rows)
      for (const { stops } of traitLines(rows, axes)) {
        for (const [nth, stop] of stops.entries()) {
          const axis = axes[nth]!
          if (!stop || axis.low === axis.high) continue
          const share = axis.isTurned ? 1 - stop.place : stop.place
          if (axis.target) expect(Math.abs(stop.value - axis.target.value)).toBeCloseTo((1 - stop.place) * axis.target.reach, 9)
          else expect(axis.low + share * (axis.high - axis.low)).toBeCloseTo(stop.value, 9)
        }
      }
    }),
  )
})

test('puts the desirable end of each axis on top, whether it is the maximum, the minimum, or the target', () => {
  const rows = [
    { genotypeId: 'g', name: '#1', values: { a: 10, b: 60, c: 100, d: 1 } },
    { genotypeId: 'h', name: '#2', values: { a: 20, b: 70, c: 140, d: 3 } },
  ]
  const axes = traitAxes(traits, rows)
  expect(axes.map((axis) => placeOn(axis, rows[0]!.values[axis.trait.id as 'a']))).toEqual([0, 1, 1 - 10 / 30, 0])
  expect(axes.map(endTexts)).toEqual([
    ['10\u00a0g', '20\u00a0g'],
    ['70\u00a0d', '60\u00a0d'],
    ['±30\u00a0cm', '110\u00a0cm'],
    ['1', '3'],
  ])
})

test('has no axis for an unmeasured trait', () => {
  expect(traitAxes(traits, [{ genotypeId: 'g', name: '#1', values: { a: 1 } }]).map(({ trait }) => trait.id)).toEqual(['a'])
})

test('splits a line at a gap', () => {
  expect(piecesOf([1, 2, null, 3, null, null, 4, 5])).toEqual([[1, 2], [3], [4, 5]])
})

const marks = (shapes: readonly { type: string; shape?: unknown }[]) =>
  shapes.flatMap((shape) => (shape.type === 'circle' ? [shape.shape] : []))

test('marks a selected genotype at its exact values in parallel coordinates', () => {
  const rows = [
    { genotypeId: 'g', name: '#1', values: { a: 10, b: null, c: 100, d: 1 } },
    { genotypeId: 'h', name: '#2', values: { a: 20, b: 70, c: 140, d: 3 } },
  ]
  const axes = traitAxes(traits, rows)
  const lines = traitLines(rows, axes)
  const look = testLook()
  const { at } = parallelPlaces(axes.length, look)
  const places = lines[0]!.stops.flatMap((stop, axis) => (stop ? [at(axis, stop.place)] : []))
  expect(marks(parallelDrawing(lines, axes, ['g'], look))).toEqual(places.map(([cx, cy]) => ({ cx, cy, r: 5 })))
})

test('closes and fills a radar outline only if every trait was measured', () => {
  const rows = [
    { genotypeId: 'g', name: '#1', values: { a: 10, b: null, c: 100, d: 1 } },
    { genotypeId: 'h', name: '#2', values: { a: 20, b: 70, c: 140, d: 3 } },
  ]
  const axes = traitAxes(traits, rows)
  const [open, whole] = traitLines(rows, axes)
  const fills = (line: typeof open) =>
    radarDrawing([line!], axes, testLook()).filter(({ type, style }) => type === 'polygon' && !('stroke' in style))
  expect(fills(open)).toHaveLength(0)
  expect(fills(whole)).toHaveLength(1)
})
