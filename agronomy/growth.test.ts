import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growthBand } from './growth.ts'

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
