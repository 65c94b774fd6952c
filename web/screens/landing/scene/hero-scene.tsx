import { curve, leaf, type Point } from '#web/ui/cover/shapes.ts'
import { type Random, seededRandom } from '#web/ui/seed.ts'
import './fanlight.css'

type Plant = { back: string; front: string; stems: string; veins: string }
type Species = (random: Random, foot: Point, height: number) => Plant

const up = -Math.PI / 2
const bare: Plant = { back: '', front: '', stems: '', veins: '' }
const line = (from: Point, to: Point) => `M${Math.round(from[0])} ${Math.round(from[1])}L${Math.round(to[0])} ${Math.round(to[1])}`
const ahead = ([x, y]: Point, angle: number, length: number): Point => [x + Math.cos(angle) * length, y + Math.sin(angle) * length]

/** Paired leaflets along an arch that leaves `foot` at `angle` and bends down toward its tip. */
function frond(foot: Point, angle: number, length: number, leaflet: number, pairs: number): { leaves: string; stem: string } {
  const at = (t: number): Point => {
    const [x, y] = ahead(foot, angle, length * t)
    return [x + Math.cos(angle) * length * 0.12 * t * t, y + length * 0.42 * Math.abs(Math.cos(angle)) * t * t]
  }
  let leaves = ''
  for (let k = 1; k <= pairs; k++) {
    const t = 0.1 + (0.88 * k) / pairs
    const [x, y] = at(t)
    const [nx, ny] = at(t + 0.02)
    const direction = Math.atan2(ny - y, nx - x)
    const size = leaflet * Math.sin(Math.PI * (0.3 + t * 0.62)) + 2
    for (const side of [-1, 1]) leaves += lens([x, y], size, direction + side * (1.2 - t * 0.5), 0.9)
  }
  return { leaves, stem: curve([at(0), at(0.33), at(0.66), at(1)]) }
}

const fern: Species = (random, foot, height) => {
  const plant = { ...bare }
  const count = 9
  for (let i = 0; i < count; i++) {
    const spread = i / (count - 1) - 0.5
    const { leaves, stem } = frond(
      foot,
      up + spread * 2.3,
      height * (1.02 - Math.abs(spread) * 0.3) * random.between(0.88, 1),
      height * 0.13,
      Math.round(height / 11),
    )
    if (i % 2) plant.front += leaves
    else plant.back += leaves
    plant.stems += stem
  }
  return plant
}

const rubberTree: Species = (random, foot, height) => {
  const plant = { ...bare }
  const lean = height * random.between(-0.05, 0.05)
  const at = (t: number): Point => [foot[0] + lean * t, foot[1] - height * 0.78 * t]
  const count = Math.max(6, Math.round(height / 30))
  for (let i = 0; i <= count; i++) {
    const t = 0.18 + (0.82 * i) / count
    const side = i % 2 ? 1 : -1
    const angle = i === count ? up + 0.06 : up + side * (1.22 - t * 0.66) + random.between(-0.1, 0.1)
    const length = height * (0.36 - t * 0.1) * random.between(0.9, 1.06)
    const base = at(t)
    const blade = leaf(base, length, angle, 0.2)
    if (i % 3 === 1) plant.back += blade
    else plant.front += blade
    plant.veins += line(base, ahead(base, angle, length * 0.9))
  }
  plant.stems = curve([at(0), at(0.5), at(1)])
  return plant
}

const swordLeaf: Species = (random, foot, height) => {
  const plant = { ...bare }
  const count = 7
  for (let i = 0; i < count; i++) {
    const spread = ((i * 3) % count) / (count - 1) - 0.5
    const angle = up + spread * 0.62
    const length = height * (1 - Math.abs(spread) * 0.5) * random.between(0.82, 1)
    const base: Point = [foot[0] + spread * height * 0.14, foot[1]]
    const blade = leaf(base, length, angle, 0.058)
    if (i % 2) plant.front += blade
    else plant.back += blade
    plant.veins += line(base, ahead(base, angle, length * 0.86))
  }
  return plant
}

const olive: Species = (random, foot, height) => {
  const plant = { ...bare }
  const trunk = (t: number): Point => [foot[0] + Math.sin(t * 3) * height * 0.03, foot[1] - height * 0.72 * t]
  plant.stems = curve([trunk(0), trunk(0.5), trunk(1)])
  const branches = 13
  for (let i = 0; i < branches; i++) {
    const t = 0.42 + (0.58 * i) / (branches - 1)
    const side = i % 2 ? 1 : -1
    const angle = i === branches - 1 ? up : up + side * random.between(0.42, 0.95)
    const { leaves, stem } = frond(trunk(t), angle, height * random.between(0.26, 0.34), height * 0.055, 8)
    if (i % 2) plant.front += leaves
    else plant.back += leaves
    plant.stems += stem
  }
  return plant
}

const herb: Species = (random, foot, height) => {
  const plant = { ...bare }
  const stems = 5
  for (let i = 0; i < stems; i++) {
    const spread = i / (stems - 1) - 0.5
    const angle = up + spread * 1.1
    const length = height * (1 - Math.abs(spread) * 0.4) * random.between(0.85, 1)
    let leaves = lens(ahead(foot, angle, length * 0.96), height * 0.14, angle, 0.56)
    for (const t of [0.4, 0.62, 0.82]) {
      for (const side of [-1, 1]) leaves += lens(ahead(foot, angle, length * t), height * (0.23 - t * 0.1), angle + side * 1.05, 0.56)
    }
    if (i % 2) plant.front += leaves
    else plant.back += leaves
    plant.stems += line(foot, ahead(foot, angle, length))
  }
  return plant
}

const seedling: Species = (_random, foot, height) => {
  const top = ahead(foot, up + 0.05, height * 0.62)
  return {
    ...bare,
    front: lens(top, height * 0.52, up - 0.95, 0.62) + lens(top, height * 0.48, up + 0.95, 0.62),
    back: lens(top, height * 0.32, up + 0.1, 0.7),
    stems: line(foot, top),
  }
}

/** A strand of paired leaves hanging from `foot`, `height` long. */
const trailer: Species = (random, foot, height) => {
  const plant = { ...bare }
  const sway = random.between(-0.08, 0.08) * height
  const at = (t: number): Point => [foot[0] + Math.sin(t * 4) * 5 + sway * t, foot[1] + height * t]
  const pairs = Math.round(height / 19)
  for (let k = 1; k <= pairs; k++) {
    const t = k / pairs
    for (const side of [-1, 1]) {
      const blade = lens(at(t), random.between(14, 18) * (1.15 - t * 0.5), Math.PI / 2 - side * random.between(0.7, 1.15), 0.6)
      if (side > 0) plant.front += blade
      else plant.back += blade
    }
  }
  plant.stems = curve([at(0), at(0.33), at(0.66), at(1)])
  return plant
}

/** Two arcs, in a compact path. `bulge` is the arcs' radius relative to the length: 0.5 is round, 2 is a blade. */
function lens(base: Point, length: number, angle: number, bulge: number): string {
  const [dx, dy] = [Math.round(Math.cos(angle) * length), Math.round(Math.sin(angle) * length)]
  const r = Math.max(1, Math.round(length * bulge))
  return `M${Math.round(base[0])} ${Math.round(base[1])}a${r} ${r} 0 0 1 ${dx} ${dy} ${r} ${r} 0 0 1 ${-dx} ${-dy}`
}

/** Pots stand on the frame's lower edge. Narrow screens crop the frame on the left. */
export const stagingWidth = 1600
export const stagingHeight = 420
/** A share of the width. Plants are lowest here, so the sun is visible above them. */
export const clearing = 0.7

type Pot = { key: string; body: string; rim: string; plant: Plant; depth: 0 | 1 | 2 }

const row: readonly (readonly [Species, x: number, height: number, pot: number, depth: Pot['depth']])[] = [
  [rubberTree, 36, 190, 84, 1],
  [herb, 104, 84, 58, 2],
  [fern, 226, 112, 74, 1],
  [seedling, 300, 42, 40, 2],
  [swordLeaf, 420, 116, 60, 1],
  [herb, 470, 70, 54, 2],
  [seedling, 528, 46, 42, 1],
  [fern, 652, 90, 64, 2],
  [seedling, 790, 42, 40, 1],
  [swordLeaf, 838, 88, 52, 2],
  [herb, 946, 62, 50, 1],
  [seedling, 990, 40, 38, 2],
  [seedling, 1078, 50, 42, 1],
  [herb, 1160, 74, 54, 2],
  [swordLeaf, 1228, 150, 66, 1],
  [olive, 1344, 300, 84, 0],
  [fern, 1424, 170, 82, 2],
  [rubberTree, 1534, 322, 100, 1],
]

export function drawStaging(seed: number): Pot[] {
  const random = seededRandom(seed)
  return row.map(([species, x, height, pot, depth], i) => {
    const tall = Math.round(pot * 0.84)
    const top = stagingHeight - tall
    return { key: `${i}`, ...drawPot(x, pot, tall), plant: species(random, [x, top + 5], height), depth }
  })
}

function drawPot(x: number, width: number, height: number): { body: string; rim: string } {
  const half = width / 2
  const lip = Math.round(height * 0.24)
  const y = stagingHeight - height
  const [upper, lower] = [Math.round(half * 0.87), Math.round(half * 0.64)]
  return {
    body: `M${x - upper} ${y + lip}H${x + upper}L${x + lower} ${stagingHeight}H${x - lower}z`,
    rim: `M${x - half} ${y + 3}a3 3 0 0 1 3-3H${x + half - 3}a3 3 0 0 1 3 3v${lip - 6}a3 3 0 0 1-3 3H${x - half + 3}a3 3 0 0 1-3-3z`,
  }
}

const trailWidth = 260
const trailHeight = 330
export function drawTrails(seed: number): Plant {
  const random = seededRandom(seed)
  const strands = [70, 150, 110, 230, 300, 190].map((length, i) => trailer(random, [24 + i * 44, -4], length))
  const all = (part: keyof Plant) => strands.map((strand) => strand[part]).join('')
  return { back: all('back'), front: all('front'), stems: all('stems'), veins: '' }
}

const landWidth = 1600
const landHeight = 300

const ridges: readonly (readonly Point[])[] = [
  [[0, 96], [260, 60], [560, 112], [860, 84], [1120, 118], [1390, 62], [1600, 90]],
  [[0, 150], [320, 172], [680, 128], [1010, 166], [1320, 132], [1600, 168]],
  [[0, 236], [380, 190], [820, 222], [1180, 200], [1600, 232]],
] // biome-ignore format: one ridge per line

const hills: readonly string[] = ridges.map((ridge) => `${curve(ridge)}V${landHeight}H0z`)

function drawRows(x: number): string {
  let rows = ''
  for (let i = -9; i <= 9; i++) rows += `M${x + i * 16} ${206 + Math.abs(i)}Q${x + i * 46} 240 ${x + i * 128} ${landHeight}`
  return rows
}

// Drawn once, when the page's code loads. Fixed seeds give the same picture.
const pots = drawStaging(11)
const trails = drawTrails(5)
const rows = drawRows(Math.round(landWidth * clearing))

export function HeroScene() {
  return (
    <div data-cover="farm" className="hero-scene">
      <div className="hero-glow" />
      <Fanlight className="hero-fanlight" />
      <div className="hero-sun" />
      <svg aria-hidden="true" className="hero-land" viewBox={`0 0 ${landWidth} ${landHeight}`} preserveAspectRatio="none">
        <path d={hills[0]} fill="var(--cover-far)" />
        <path d={hills[1]} fill="var(--cover-mid)" />
        <path d={hills[2]} fill="var(--cover-near)" />
        <path d={rows} fill="none" stroke="var(--cover-mid)" strokeWidth={3} opacity={0.55} />
      </svg>
      <svg aria-hidden="true" className="hero-trails" viewBox={`0 0 ${trailWidth} ${trailHeight}`}>
        <DrawnPlant plant={trails} />
      </svg>
      <div className="hero-sill" />
      <svg
        aria-hidden="true"
        className="hero-staging"
        viewBox={`0 0 ${stagingWidth} ${stagingHeight}`}
        preserveAspectRatio="xMaxYMax slice"
      >
        {pots.map(({ key, body, rim, plant, depth }) => (
          <g key={key} data-depth={depth}>
            <DrawnPlant plant={plant} />
            <path d={body} className="hero-pot" />
            <path d={rim} className="hero-rim" />
          </g>
        ))}
      </svg>
    </div>
  )
}

function DrawnPlant({ plant }: { plant: Plant }) {
  return (
    <>
      <path d={plant.back} className="hero-leaf-back" />
      <path d={plant.stems} className="hero-stem" />
      <path d={plant.front} className="hero-leaf" />
      {plant.veins && <path d={plant.veins} className="hero-vein" />}
    </>
  )
}

/** Rings widen outward, which makes the outer panes look closer. */
const arcs = [96, 190, 318, 488, 708, 990, 1350] as const
/** For half a circle. The number doubles where panes would become too wide. */
const panesPerRing = [8, 8, 16, 16, 32, 32] as const

export const fanlightRadius = arcs.at(-1)!

const point = (radius: number, angle: number) => `${Math.round(-Math.cos(angle) * radius)} ${Math.round(-Math.sin(angle) * radius)}`

/** Angles are clockwise from the left. */
function pane(inner: number, outer: number, from: number, to: number): string {
  return `M${point(inner, from)}L${point(outer, from)}A${outer} ${outer} 0 0 1 ${point(outer, to)}L${point(inner, to)}A${inner} ${inner} 0 0 0 ${point(inner, from)}z`
}

/**
 * A fan window centered on the sun: a half wheel of panes above the origin. `tints` groups panes by brightness, faintest first. `bars` are
 * radial and `hoops` concentric.
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

/** Tints are rarer and fainter farther from the sun. Null for plain panes. */
function tintOf(random: Random, ring: number): number | null {
  const light = random.between(0, 1) - ring * 0.07
  if (light < 0.2) return null
  return Math.min(3, Math.floor((light - 0.2) * 5))
}

const { tints, bars, hoops } = drawFanlight(7)

/** Fan-shaped, twice as wide as it is tall, centered on its lower edge. Decorative. */
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
