import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Point, paretoFront } from './pareto.ts'

const ids = (points: Point[]) => points.map(({ id }) => id)

test('finds the front of yield against potency', () => {
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

test('puts exactly the undominated points on the front', () => {
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
