import type { Placement, Run } from '#contracts/runs.endpoints.ts'
import { counted } from '#web/lib/format.ts'

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

/**
 * Where plants go on a run's bench: into the free spots, row by row. Plants that don't fit get no spot.
 * @param all whether plants that have a spot get a new one, instead of keeping theirs
 */
export function layOut(
  bench: Pick<Run, 'benchRows' | 'benchColumns'>,
  plantIds: readonly string[],
  there: readonly Placement[],
  all = false,
): { moves: Move[]; kept: number; free: number } {
  const onBench = new Set(there.flatMap(({ plantId, row }) => (row === null ? [] : plantId)))
  const moving = all ? plantIds : plantIds.filter((id) => !onBench.has(id))
  const free = freePositions(
    bench,
    there.filter(({ plantId }) => !moving.includes(plantId)),
  )
  const moves = moving.map((plantId, i) => ({ plantId, ...(free[i] ?? { row: null, column: null }) }))
  return { moves, kept: plantIds.length - moving.length, free: free.length }
}

/** "9 plants will get a spot. 2 plants won’t fit on the bench. 27 plants keep their spots." */
export function placeWords({ moves, kept, free }: ReturnType<typeof layOut>): string {
  const fitting = Math.min(moves.length, free)
  return [
    fitting > 0 && `${counted(fitting, 'plant')} will get a spot.`,
    moves.length > fitting && `${counted(moves.length - fitting, 'plant')} won’t fit on the bench.`,
    kept > 0 && `${counted(kept, 'plant keeps its spot', 'plants keep their spots')}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
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
