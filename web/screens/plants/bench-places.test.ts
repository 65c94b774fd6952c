import { expect, test } from 'vitest'
import type { Placement } from '#contracts/runs.endpoints.ts'
import { freePositions, layOut, movesTo, placeWords } from './bench-places.ts'

const at = (plantId: string, row: number | null, column: number | null) => ({ plantId, row, column }) as Placement

test('lists free spots row by row', () => {
  expect(freePositions({ benchRows: 2, benchColumns: 2 }, [at('a', 1, 2), at('b', null, null)])).toEqual([
    { row: 1, column: 1 },
    { row: 2, column: 1 },
    { row: 2, column: 2 },
  ])
  expect(freePositions({ benchRows: null, benchColumns: null }, [])).toEqual([])
})

test('places plants without a spot and leaves the others where they are, unless all spots are reassigned', () => {
  const bench = { benchRows: 2, benchColumns: 2 }
  const there = [at('a', 2, 2), at('b', 1, 1), at('c', null, null), at('other', 1, 2)]
  const plants = ['a', 'b', 'c', 'd']
  expect(layOut(bench, plants, there)).toEqual({ moves: [at('c', 2, 1), at('d', null, null)], kept: 2, free: 1 })
  expect(layOut(bench, ['a', 'b'], there)).toEqual({ moves: [], kept: 2, free: 1 })
  expect(layOut(bench, plants, there, true)).toEqual({
    moves: [at('a', 1, 1), at('b', 2, 1), at('c', 2, 2), at('d', null, null)],
    ...{ kept: 0, free: 3 },
  })
  expect(layOut({ benchRows: null, benchColumns: null }, ['d'], [])).toEqual({ moves: [at('d', null, null)], kept: 0, free: 0 })
})

test('states how many plants get a spot, don’t fit, or keep their spot', () => {
  const moves = [at('a', 1, 1), at('b', 1, 2), at('c', null, null)]
  expect(placeWords({ moves, kept: 1, free: 2 })).toBe('2 plants will get a spot. 1 plant won’t fit on the bench. 1 plant keeps its spot.')
  expect(placeWords({ moves: [], kept: 3, free: 2 })).toBe('3 plants keep their spots.')
})

test('swaps two plants if the spot is occupied', () => {
  const there = [at('a', 1, 1), at('b', 1, 2), at('c', null, null)]
  expect(movesTo('a', { row: 2, column: 2 }, there)).toEqual([at('a', 2, 2)])
  expect(movesTo('a', { row: 1, column: 2 }, there)).toEqual([at('a', 1, 2), at('b', 1, 1)])
  expect(movesTo('c', { row: 1, column: 1 }, there)).toEqual([at('c', 1, 1), at('a', null, null)])
  expect(movesTo('a', { row: 1, column: 1 }, there)).toEqual([at('a', 1, 1)])
  expect(movesTo('a', null, there)).toEqual([at('a', null, null)])
})
