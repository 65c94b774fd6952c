import { curve, type Point } from '#web/ui/cover/shapes.ts'
import { seededRandom } from '#web/ui/seed.ts'
import { Fanlight } from './fanlight.tsx'
import { fern, herb, olive, type Plant, rubberTree, type Species, seedling, swordLeaf, trailer } from './plants.ts'

/** Frame of the row of pots, which rest on its lower edge. Narrow screens crop it on the left. */
export const stagingWidth = 1600
export const stagingHeight = 420
/** Horizontal position of the lowest plants, which leave room for the sun; a share of the width. */
export const clearing = 0.7

type Pot = { key: string; body: string; rim: string; plant: Plant; depth: 0 | 1 | 2 }

/** Species, position, plant height, pot width, and darkness against the light. */
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

/** Frame of the strands hanging from the upper right corner. */
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
] // biome-ignore format: one ridge a line

const hills: readonly string[] = ridges.map((ridge) => `${curve(ridge)}V${landHeight}H0z`)

function drawRows(x: number): string {
  let rows = ''
  for (let i = -9; i <= 9; i++) rows += `M${x + i * 16} ${206 + Math.abs(i)}Q${x + i * 46} 240 ${x + i * 128} ${landHeight}`
  return rows
}

// Fixed seeds: drawn once, when the page's code loads.
const pots = drawStaging(11)
const trails = drawTrails(5)
const rows = drawRows(Math.round(landWidth * clearing))

/** Pots on a greenhouse windowsill, with the sun rising over hills. Decorative; fills its parent. */
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
