import type { CoverRole } from './tones.ts'

/** Every composition has the aspect ratio of a link preview (1200 × 630). */
export const coverWidth = 320
export const coverHeight = 168

export type Shape = { d: string; fill?: CoverRole; stroke?: CoverRole; width?: number; opacity?: number }
export type Point = readonly [x: number, y: number]

const n = (value: number): string => String(Math.round(value))

export function circle(x: number, y: number, radius: number): string {
  const r = Math.round(radius)
  return `M${n(x - r)} ${n(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
}

export function dome(x: number, y: number, radius: number): string {
  const r = Math.round(radius)
  return `M${n(x - r)} ${n(y)}a${r} ${r} 0 0 1 ${2 * r} 0z`
}

export function polygon(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}z`
}

/** The curve passes through every point (Catmull–Rom as cubic Béziers). */
export function curve(points: readonly Point[]): string {
  let d = `M${n(points[0]![0])} ${n(points[0]![1])}`
  for (let i = 0; i < points.length - 1; i++) {
    const [p0, p1, p2, p3] = [points[i - 1] ?? points[i]!, points[i]!, points[i + 1]!, points[i + 2] ?? points[i + 1]!]
    d += `C${n(p1[0] + (p2[0] - p0[0]) / 6)} ${n(p1[1] + (p2[1] - p0[1]) / 6)} ${n(p2[0] - (p3[0] - p1[0]) / 6)} ${n(p2[1] - (p3[1] - p1[1]) / 6)} ${n(p2[0])} ${n(p2[1])}`
  }
  return d
}

export function below(points: readonly Point[]): string {
  return `${curve(points)}V${coverHeight}H0z`
}

/** `belly` is half the leaf's width relative to its length. */
export function leaf(base: Point, length: number, angle: number, belly: number): string {
  const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length]
  const [bx, by] = [-Math.sin(angle) * length * belly * 2, Math.cos(angle) * length * belly * 2]
  const middle: Point = [dx * 0.45, dy * 0.45]
  return `M${n(base[0])} ${n(base[1])}q${n(middle[0] + bx)} ${n(middle[1] + by)} ${n(dx)} ${n(dy)}q${n(middle[0] - bx - dx)} ${n(middle[1] - by - dy)} ${n(-dx)} ${n(-dy)}`
}
