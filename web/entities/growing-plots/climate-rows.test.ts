import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClimateReading, climatePoints, readingsBetween, shareInTarget } from './climate-rows.ts'

const minute = 60_000
const series = (values: (number | null)[], step = minute): ClimateReading[] =>
  values.map((vpd, nth) => ({ at: nth * step, vpd, temperature: null, humidity: null }))

const readings = fc
  .array(fc.record({ wait: fc.integer({ min: 1, max: 50 }), vpd: fc.option(fc.double({ min: 0, max: 3, noNaN: true }), { freq: 12 }) }), {
    maxLength: 400,
  })
  .map((all) => {
    let at = 0
    return all.map(({ wait, vpd }): ClimateReading => {
      at += wait * minute
      return { at, vpd, temperature: null, humidity: null }
    })
  })

test('draws each reading at its own time and value', () => {
  fc.assert(
    fc.property(readings, fc.integer({ min: 1, max: 300 }), (all, width) => {
      const byTime = new Map(all.map((reading) => [reading.at, reading.vpd]))
      let before = Number.NEGATIVE_INFINITY
      for (const [at, value] of climatePoints(all, 'vpd', width)) {
        if (value !== null) expect(value).toBe(byTime.get(at))
        expect(at).toBeGreaterThanOrEqual(before)
        before = at
      }
    }),
  )
})

test('draws the lowest and highest readings of every pixel column', () => {
  fc.assert(
    fc.property(readings, fc.integer({ min: 1, max: 60 }), (all, width) => {
      const points = climatePoints(all, 'vpd', width)
      const first = all[0]?.at ?? 0
      const perColumn = ((all.at(-1)?.at ?? 0) - first) / width || 1
      const columnOf = (at: number) => Math.floor((at - first) / perColumn)
      const range = (values: [number, number | null][], column: number) => {
        const found = values.flatMap(([at, value]) => (value !== null && columnOf(at) === column ? [value] : []))
        return [Math.min(...found), Math.max(...found)]
      }
      const measured = all.map(({ at, vpd }): [number, number | null] => [at, vpd])
      for (let column = 0; column <= width; column += 1) expect(range(points, column)).toEqual(range(measured, column))
      expect(points.filter(([, value]) => value !== null).length).toBeLessThanOrEqual(Math.max(all.length, 1))
    }),
  )
})

test('reduces a hundred thousand readings to a few points per pixel', () => {
  const points = climatePoints(series(Array.from({ length: 100_000 }, (_, nth) => Math.sin(nth))), 'vpd', 1000)
  expect(points.length).toBeLessThanOrEqual(4004)
})

test('breaks the line for a silent sensor or a missing value', () => {
  const all = series([1, 1, null, 1, 1])
  const later = series([2, 2, 2]).map((reading) => ({ ...reading, at: reading.at + 60 * minute }))
  expect(climatePoints([...all, ...later], 'vpd', 1000).map(([, value]) => value)).toEqual([1, 1, null, 1, 1, null, 2, 2, 2])
})

test('includes both ends of a time span', () => {
  expect(readingsBetween(series([0, 1, 2, 3, 4]), minute, 3 * minute).map(({ vpd }) => vpd)).toEqual([1, 2, 3])
})

test('counts only readings that have a target toward the share in range', () => {
  const target = { id: 'flower vpd', measure: 'vpd' as const, from: 0, to: 3 * minute, low: 1, high: 2 }
  expect(shareInTarget(series([1, 2, 2.1, null, 1.5]), 'vpd', [target])).toBe(2 / 3)
  expect(shareInTarget(series([1]), 'vpd', [])).toBeNull()
})

test('counts the readings of a mean toward the share in range, not the mean itself', () => {
  const target = { id: 'flower vpd', measure: 'vpd' as const, from: 0, to: 3 * minute, low: 1, high: 2 }
  const [first, second] = series([1.5, 3]) as [ClimateReading, ClimateReading]
  const means = [
    { ...first, mean: { readings: 30, inTarget: { 'flower vpd': 12, 'vegetative vpd': 30 } } },
    { ...second, mean: { readings: 10, inTarget: { 'flower vpd': 1 } } },
  ]
  expect(shareInTarget(means, 'vpd', [target])).toBe(13 / 40)
})
