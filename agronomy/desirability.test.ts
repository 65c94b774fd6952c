import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundsOf, type DesirabilityCurve, desirabilityOf, type Point, paretoFront } from './desirability.ts'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const curve: fc.Arbitrary<DesirabilityCurve> = fc
  .tuple(fc.constantFrom('max', 'min', 'target'), fc.tuple(number, number, number), fc.double({ min: 0.1, max: 10, noNaN: true }))
  .map(([direction, bounds, exponent]) => {
    const [low, target, high] = bounds.sort((a, b) => a - b) as [number, number, number]
    return direction === 'target' ? { direction, low, target, high, exponent } : { direction: direction as 'max', low, high, exponent }
  })

test('scores larger, smaller, or on-target values higher, depending on the direction', () => {
  const yields = desirabilityOf({ direction: 'max', low: 40, high: 120 })
  expect([0, 40, 60, 100, 120, 500].map(yields)).toEqual([0, 0, 0.25, 0.75, 1, 1])
  const days = desirabilityOf({ direction: 'min', low: 56, high: 76 })
  expect([50, 56, 61, 76, 90].map(days)).toEqual([1, 1, 0.75, 0, 0])
  const height = desirabilityOf({ direction: 'target', low: 60, target: 100, high: 120 })
  expect([60, 70, 100, 105, 120].map(height)).toEqual([0, 0.25, 1, 0.75, 0])
  expect(desirabilityOf({ direction: 'max', low: 0, high: 10, exponent: 2 })(5)).toBe(0.25)
})

test('jumps between 0 and 1 where two bounds are equal', () => {
  expect([4, 5, 6].map(desirabilityOf({ direction: 'max', low: 5, high: 5 }))).toEqual([0, 1, 1])
  expect([4, 5, 6].map(desirabilityOf({ direction: 'min', low: 5, high: 5 }))).toEqual([1, 1, 0])
  expect([4, 5, 6].map(desirabilityOf({ direction: 'target', low: 5, target: 5, high: 5 }))).toEqual([0, 1, 0])
  expect([4, 5, 7, 9].map(desirabilityOf({ direction: 'target', low: 5, target: 5, high: 9 }))).toEqual([0, 1, 0.5, 0])
})

describe('an impossible curve', () => {
  test.each<[DesirabilityCurve, RegExp]>([
    [{ direction: 'max', low: 5, high: 3 }, /lower bound \(5\) is above the upper one \(3\)\. Swap them/],
    [{ direction: 'target', low: 0, target: 11, high: 10 }, /target \(11\) must be between the bounds/],
    [{ direction: 'min', low: Number.NaN, high: 3 }, /number for both bounds/],
    [{ direction: 'target', low: 0, target: Number.NaN, high: 3 }, /number for the target/],
    [{ direction: 'min', low: 0, high: 3, exponent: 0 }, /exponent must be above 0/],
  ])('throws an error that says how to fix it: %o', (bad, message) => {
    expect(() => desirabilityOf(bad)).toThrow(message)
  })
})

test('returns a score between 0 and 1, or null for anything but a finite number', () => {
  fc.assert(
    fc.property(curve, fc.double(), (each, value) => {
      const worth = desirabilityOf(each)(value)
      if (!Number.isFinite(value)) expect(worth).toBeNull()
      else {
        expect(worth).toBeGreaterThanOrEqual(0)
        expect(worth).toBeLessThanOrEqual(1)
      }
    }),
  )
})

test('never decreases as the value approaches the goal', () => {
  fc.assert(
    fc.property(curve, number, number, (each, a, b) => {
      const worth = desirabilityOf(each)
      const [less, more] = a <= b ? [a, b] : [b, a]
      if (each.direction === 'max' || (each.direction === 'target' && more <= each.target))
        expect(worth(more)).toBeGreaterThanOrEqual(worth(less)!)
      if (each.direction === 'min' || (each.direction === 'target' && less > each.target))
        expect(worth(more)).toBeLessThanOrEqual(worth(less)!)
    }),
  )
})

test('takes the bounds from the hunt’s lowest and highest values', () => {
  expect(boundsOf([3, Number.NaN, 9, 5])).toEqual({ low: 3, high: 9 })
  expect(boundsOf([Number.NaN])).toBeNull()
})

const ids = (points: Point[]) => points.map(({ id }) => id)

test('finds the Pareto front of yield and potency', () => {
  const points = [
    { id: 'a', x: 100, y: 15 },
    { id: 'b', x: 80, y: 22 },
    { id: 'c', x: 70, y: 20 },
    { id: 'd', x: 60, y: 25 },
    { id: 'e', x: 100, y: 14 },
    { id: 'b2', x: 80, y: 22 },
    { id: 'n', x: Number.NaN, y: 99 },
  ]
  expect(ids(paretoFront(points, { x: 'max', y: 'max' }))).toEqual(['a', 'b', 'b2', 'd'])
  expect(ids(paretoFront(points, { x: 'min', y: 'max' }))).toEqual(['d'])
  expect(ids(paretoFront(points, { x: 'max', y: 'min' }))).toEqual(['e'])
  expect(ids(paretoFront(points, { x: 'min', y: 'min' }))).toEqual(['d', 'c', 'e'])
  expect(paretoFront([], { x: 'max', y: 'max' })).toEqual([])
})

test('puts exactly the undominated points on the Pareto front', () => {
  const points = fc.array(fc.tuple(fc.nat(8), fc.nat(8))).map((list) => list.map(([x, y], i) => ({ id: `${i}`, x, y })))
  const goal = fc.constantFrom('max' as const, 'min' as const)
  fc.assert(
    fc.property(points, goal, goal, (all, x, y) => {
      const value = (point: Point) => [x === 'max' ? point.x : -point.x, y === 'max' ? point.y : -point.y] as const
      const beats = (a: Point, b: Point) => {
        const [ax, ay] = value(a)
        const [bx, by] = value(b)
        return ax >= bx && ay >= by && (ax > bx || ay > by)
      }
      const expected = all.filter((point) => !all.some((other) => beats(other, point)))
      expect(new Set(ids(paretoFront(all, { x, y })))).toEqual(new Set(ids(expected)))
    }),
  )
})
