import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growthOption } from './growth-curves.tsx'
import { besideMedian, growthBand, growthColumns, growthRows, growthSeries } from './growth-rows.ts'
import { testLook } from './look.test-support.ts'

const chosen = [
  { plantId: 'p0', name: '#1' },
  { plantId: 'p2', name: '#3' },
]
const logs = fc.array(
  fc.record({
    plantId: fc.constantFrom('p0', 'p1', 'p2', 'p3'),
    at: fc.integer({ min: 1, max: 12 }),
    height: fc.double({ min: 0, max: 300, noNaN: true }),
  }),
)

test('draws the same heights as the rows and the logs', () => {
  fc.assert(
    fc.property(logs, (all) => {
      const rows = growthRows(all, chosen)
      const columns = growthColumns('week', 'cm', chosen)
      const cell = (key: string, at: number) => columns.find((column) => column.key === key)?.value(rows.find((row) => row.at === at)!)
      const series = growthSeries(rows, chosen)
      for (const [nth, { plantId }] of chosen.entries()) {
        const points = series.lines[nth]?.points ?? []
        for (const [at, height] of points) {
          expect(height).toBe(cell(plantId, at))
          expect(height).toBe(all.findLast((log) => log.plantId === plantId && log.at === at)?.height)
        }
        expect(points.length).toBe(new Set(all.filter((log) => log.plantId === plantId).map(({ at }) => at)).size)
      }
      for (const [at, median] of series.median) expect(median).toBe(cell('median', at))
      for (const [at, lower, upper] of series.band) expect([lower, upper]).toEqual([cell('lower', at), cell('upper', at)])
      expect(series.median.length).toBe(rows.length)
    }),
  )
})

test('passes the exact points to the plotting library', () => {
  const rows = growthRows(
    [
      { plantId: 'p0', at: 1, height: 4.123456789 },
      { plantId: 'p0', at: 3, height: 12 },
      { plantId: 'p1', at: 1, height: 6 },
    ],
    chosen,
  )
  const { series } = growthOption(rows, chosen, 'week', 'cm', testLook())
  expect((series as { data: unknown }[]).map(({ data }) => data)).toEqual([
    [[1, (4.123456789 * 3 + 6) / 4]],
    rows.map(({ at, band }) => [at, band.median]),
    [
      [1, 4.123456789],
      [3, 12],
    ],
    [],
  ])
})

test('describes in words how a plant compares with the median', () => {
  expect(besideMedian(108, 96, 'cm')).toBe('12\u00a0cm over 96\u00a0cm')
  expect(besideMedian(90, 96, 'cm')).toBe('6\u00a0cm under 96\u00a0cm')
  expect(besideMedian(96, 96, 'cm')).toBe('the median, 96\u00a0cm')
})

test('computes the quartiles of the siblings week by week', () => {
  const points = [
    ...[10, 20, 30, 40, 50].map((value, i) => ({ plantId: `${i}`, week: 2, value })),
    { plantId: '0', week: 1, value: 4 },
    { plantId: '0', week: 1, value: 8 },
    { plantId: '1', week: 1, value: 9 },
    { plantId: '2', week: 1, value: Number.NaN },
  ]
  expect(growthBand(points)).toEqual([
    { week: 1, median: 7.5, lowerQuartile: 6.75, upperQuartile: 8.25, plants: 2 },
    { week: 2, median: 30, lowerQuartile: 20, upperQuartile: 40, plants: 5 },
  ])
  expect(growthBand(points, '4')[1]).toEqual({ week: 2, median: 25, lowerQuartile: 17.5, upperQuartile: 32.5, plants: 4 })
  expect(growthBand([])).toEqual([])
})

test('orders the quartiles and ignores the order of entries', () => {
  const points = fc.array(
    fc.record({ plantId: fc.constantFrom('a', 'b', 'c', 'd', 'e'), week: fc.nat(3), value: fc.integer({ min: 0, max: 99 }) }),
  )
  fc.assert(
    fc.property(points, (entries) => {
      const bands = growthBand(entries)
      expect(growthBand([...entries].reverse())).toEqual(bands)
      for (const { lowerQuartile, median, upperQuartile } of bands) {
        expect(median).toBeGreaterThanOrEqual(lowerQuartile)
        expect(upperQuartile).toBeGreaterThanOrEqual(median)
      }
      expect(bands.map(({ week }) => week)).toEqual([...new Set(entries.map(({ week }) => week))].sort())
    }),
  )
})
