import { expect, test } from 'vitest'
import type { Placement } from '#contracts/runs.endpoints.ts'
import { freePositions, movesTo } from './bench-places.ts'

const at = (plantId: string, row: number | null, column: number | null) => ({ plantId, row, column }) as Placement

test('lists free spots row by row', () => {
  expect(freePositions({ benchRows: 2, benchColumns: 2 }, [at('a', 1, 2), at('b', null, null)])).toEqual([
    { row: 1, column: 1 },
    { row: 2, column: 1 },
    { row: 2, column: 2 },
  ])
  expect(freePositions({ benchRows: null, benchColumns: null }, [])).toEqual([])
})

test('swaps two plants if the spot is occupied', () => {
  const there = [at('a', 1, 1), at('b', 1, 2), at('c', null, null)]
  expect(movesTo('a', { row: 2, column: 2 }, there)).toEqual([at('a', 2, 2)])
  expect(movesTo('a', { row: 1, column: 2 }, there)).toEqual([at('a', 1, 2), at('b', 1, 1)])
  expect(movesTo('c', { row: 1, column: 1 }, there)).toEqual([at('c', 1, 1), at('a', null, null)])
  expect(movesTo('a', { row: 1, column: 1 }, there)).toEqual([at('a', 1, 1)])
  expect(movesTo('a', null, there)).toEqual([at('a', null, null)])
})
