import { type Random, seededRandom } from '../../../ui/seed.ts'

/** Radii of the arcs around the hub. Each ring is wider than the last, so that the far panes look near. */
const arcs = [96, 190, 318, 488, 708, 990, 1350] as const
/** Panes of each ring on the half circle; they double where they would become too wide. */
const panesPerRing = [8, 8, 16, 16, 32, 32] as const

export const fanlightRadius = arcs.at(-1)!

const point = (radius: number, angle: number) => `${Math.round(-Math.cos(angle) * radius)} ${Math.round(-Math.sin(angle) * radius)}`

/** One pane between two arcs and two bars; angles from the left, clockwise. */
function pane(inner: number, outer: number, from: number, to: number): string {
  return `M${point(inner, from)}L${point(outer, from)}A${outer} ${outer} 0 0 1 ${point(outer, to)}L${point(inner, to)}A${inner} ${inner} 0 0 0 ${point(inner, from)}z`
}

/**
 * The window of a glasshouse whose hub is the sun: half a wheel of panes around the origin, upwards.
 * `tints` are panes of like reflection, faintest first; `bars` run from the sun, `hoops` around it.
 */
export function drawFanlight(seed: number): { tints: string[]; bars: string; hoops: string } {
  const random = seededRandom(seed)
  const tints = ['', '', '', '']
  let bars = ''
  panesPerRing.forEach((count, ring) => {
    const [inner, outer] = [arcs[ring]!, arcs[ring + 1]!]
    const step = Math.PI / count
    for (let i = 0; i < count; i++) {
      const tint = tintOf(random, ring)
      if (tint !== null) tints[tint] += pane(inner, outer, i * step, (i + 1) * step)
      bars += `M${point(inner, i * step)}L${point(outer, i * step)}`
    }
  })
  const hoops = arcs.map((radius) => `M${-radius} 0A${radius} ${radius} 0 0 1 ${radius} 0`).join('')
  return { tints, bars, hoops }
}

/** Which panes catch the light: fewer and fainter with the distance from the sun. */
function tintOf(random: Random, ring: number): number | null {
  const light = random.between(0, 1) - ring * 0.07
  if (light < 0.2) return null
  return Math.min(3, Math.floor((light - 0.2) * 5))
}
