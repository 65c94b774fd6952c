import { type Random, seededRandom } from '#web/ui/seed.ts'
import './fanlight.css'

/** Radii of the arcs. Rings widen outward, which makes the outer panes look closer. */
const arcs = [96, 190, 318, 488, 708, 990, 1350] as const
/** Panes per ring on the half circle; doubled where they would become too wide. */
const panesPerRing = [8, 8, 16, 16, 32, 32] as const

export const fanlightRadius = arcs.at(-1)!

const point = (radius: number, angle: number) => `${Math.round(-Math.cos(angle) * radius)} ${Math.round(-Math.sin(angle) * radius)}`

/** A pane between two arcs and two bars. Angles are clockwise from the left. */
function pane(inner: number, outer: number, from: number, to: number): string {
  return `M${point(inner, from)}L${point(outer, from)}A${outer} ${outer} 0 0 1 ${point(outer, to)}L${point(inner, to)}A${inner} ${inner} 0 0 0 ${point(inner, from)}z`
}

/**
 * A fan window centered on the sun: a half wheel of panes above the origin.
 * `tints` groups panes by brightness, faintest first; `bars` are radial and `hoops` concentric.
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

/** Brightness of a pane; fewer and fainter with distance from the sun. Null for plain panes. */
function tintOf(random: Random, ring: number): number | null {
  const light = random.between(0, 1) - ring * 0.07
  if (light < 0.2) return null
  return Math.min(3, Math.floor((light - 0.2) * 5))
}

const { tints, bars, hoops } = drawFanlight(7)

/** A fan-shaped window, twice as wide as high, centered on its lower edge. Decorative. */
export function Fanlight({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" className={className} viewBox={`${-fanlightRadius} ${-fanlightRadius} ${2 * fanlightRadius} ${fanlightRadius}`}>
      {tints.map((d, strength) => (
        <path key={d.slice(0, 24)} d={d} className="fanlight-pane" opacity={0.16 + strength * 0.2} />
      ))}
      <path d={bars} className="fanlight-bar" strokeWidth={1.6} />
      <path d={hoops} className="fanlight-bar" strokeWidth={2.6} />
    </svg>
  )
}
