import type { Point } from '../../../ui/cover/shapes.ts'

/**
 * A small leaf as a lens of two arcs from its base, in few characters. `bulge` is the arcs' radius as a share of the length: 0.5 is
 * round, 2 is a blade.
 */
export function lens(base: Point, length: number, angle: number, bulge: number): string {
  const [dx, dy] = [Math.round(Math.cos(angle) * length), Math.round(Math.sin(angle) * length)]
  const r = Math.max(1, Math.round(length * bulge))
  return `M${Math.round(base[0])} ${Math.round(base[1])}a${r} ${r} 0 0 1 ${dx} ${dy} ${r} ${r} 0 0 1 ${-dx} ${-dy}`
}
