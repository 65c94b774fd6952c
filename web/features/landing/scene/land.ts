import { curve, type Point } from '../../../ui/cover/shapes.ts'

export const landWidth = 1600
export const landHeight = 300

const ridges: readonly (readonly Point[])[] = [
  [[0, 96], [260, 60], [560, 112], [860, 84], [1120, 118], [1390, 62], [1600, 90]],
  [[0, 150], [320, 172], [680, 128], [1010, 166], [1320, 132], [1600, 168]],
  [[0, 236], [380, 190], [820, 222], [1180, 200], [1600, 232]],
] // biome-ignore format: one ridge a line

/** The hills behind the glass, far to near. */
export const hills: readonly string[] = ridges.map((ridge) => `${curve(ridge)}V${landHeight}H0z`)

/** Rows of a field on the nearest hill, running towards the sun at `x`. */
export function drawRows(x: number): string {
  let rows = ''
  for (let i = -9; i <= 9; i++) rows += `M${x + i * 16} ${206 + Math.abs(i)}Q${x + i * 46} 240 ${x + i * 128} ${landHeight}`
  return rows
}
