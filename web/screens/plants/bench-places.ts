import type { Placement, Run } from '#contracts/runs.endpoints.ts'

export type BenchPosition = { row: number; column: number }

export function freePositions(
  { benchRows, benchColumns }: Pick<Run, 'benchRows' | 'benchColumns'>,
  taken: readonly Pick<Placement, 'row' | 'column'>[],
): BenchPosition[] {
  const isTaken = new Set(taken.map(({ row, column }) => `${row} ${column}`))
  const columns = benchColumns ?? 0
  return Array.from({ length: (benchRows ?? 0) * columns }, (_, i) => ({
    row: Math.floor(i / columns) + 1,
    column: (i % columns) + 1,
  })).filter(({ row, column }) => !isTaken.has(`${row} ${column}`))
}

type Move = { plantId: string; row: number | null; column: number | null }

/** Returns two moves for a swap. */
export function movesTo(plantId: string, to: BenchPosition | null, placements: readonly Placement[]): Move[] {
  if (to === null) return [{ plantId, row: null, column: null }]
  const self = placements.find((each) => each.plantId === plantId)
  const other = placements.find((each) => each.row === to.row && each.column === to.column && each.plantId !== plantId)
  const move = { plantId, ...to }
  return other ? [move, { plantId: other.plantId, row: self?.row ?? null, column: self?.column ?? null }] : [move]
}
