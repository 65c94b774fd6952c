export type Point = { id: string; x: number; y: number }
export type Goal = 'max' | 'min'

/**
 * Points not dominated by another one, meaning as good in both dimensions and better in one. Equal points are either all in the front or
 * all out. Sorted by x, best first. Non-finite points are left out.
 */
export function paretoFront<Each extends Point>(points: readonly Each[], goals: { x: Goal; y: Goal }): Each[] {
  const signX = goals.x === 'max' ? 1 : -1
  const signY = goals.y === 'max' ? 1 : -1
  const sorted = points
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
    .sort((a, b) => signX * (b.x - a.x) || signY * (b.y - a.y) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  let last: Each | undefined
  return sorted.filter((point) => {
    const isInFront = !last || signY * (point.y - last.y) > 0 || (point.x === last.x && point.y === last.y)
    if (isInFront) last = point
    return isInFront
  })
}
