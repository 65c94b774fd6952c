import type { BusinessType } from '#contracts/business-types.ts'
import { hashText, type Random, seededRandom } from '#web/ui/seed.ts'
import { below, circle, curve, dome, coverHeight as H, leaf, type Point, polygon, type Shape, coverWidth as W } from './shapes.ts'
import { type CoverRole, type CoverTheme, coverPalette } from './tones.ts'

type Composition = (random: Random) => Shape[]

function sun(random: Random, x: number, y: number, radius: number): Shape[] {
  const disc: Shape = { d: circle(x, y, radius), fill: 'sun' }
  return random.chance(0.5) ? [{ d: circle(x, y, radius * random.between(1.5, 1.9)), fill: 'sun', opacity: 0.3 }, disc] : [disc]
}

/** `swells` is the number of rises, each of up to `height`, around `y`. */
function ridge(random: Random, y: number, height: number, swells: number): Point[] {
  const up = random.chance(0.5) ? 1 : -1
  return Array.from({ length: swells * 2 + 1 }, (_, i): Point => {
    const inside = i > 0 && i < swells * 2
    const x = (W / (swells * 2)) * i + (inside ? random.between(-12, 12) : 0)
    return [x, y + up * (i % 2 ? -1 : 1) * height * random.between(0.35, 1)]
  })
}

const hills: Composition = (random) => {
  const horizon = random.between(74, 92)
  const shapes = sun(random, random.between(56, 264), horizon - random.between(8, 34), random.between(15, 27))
  const layers: CoverRole[] = ['far', 'mid', 'near', 'deep']
  for (const [i, fill] of layers.entries()) {
    shapes.push({ d: below(ridge(random, horizon + i * random.between(21, 25), 15 - i * 1.5, random.whole(1, 2))), fill })
  }
  return shapes
}

const terraces: Composition = (random) => {
  const left = random.chance(0.5)
  const x = left ? random.between(-30, 40) : random.between(280, 350)
  const y = random.between(173, 196)
  const shapes = sun(random, left ? random.between(236, 286) : random.between(34, 84), random.between(32, 48), random.between(13, 20))
  const steps = random.whole(6, 7)
  const stretch = random.between(1.35, 1.65)
  const colors: CoverRole[] = ['far', 'far', 'mid', 'mid', 'near', 'near', 'deep']
  const wobble = Array.from({ length: 6 }, () => random.between(0.9, 1.1))
  for (let i = 0; i < steps; i++) {
    const radius = (steps - i) * (172 / steps) + 14
    const rim = wobble.map((bend, k): Point => {
      const angle = Math.PI + (Math.PI / 5) * k
      return [x + Math.cos(angle) * radius * stretch * bend, y + Math.sin(angle) * radius * bend]
    })
    shapes.push({ d: `${curve(rim)}z`, fill: colors[Math.round((i / (steps - 1)) * 6)]!, stroke: 'line', width: 1.5 })
  }
  return shapes
}

const veins: Composition = (random) => {
  const shapes: Shape[] = []
  const lean = random.between(-0.5, 0.5)
  const flip = random.chance(0.5)
  const fills: CoverRole[] = random.pick([
    ['far', 'mid', 'near'],
    ['mid', 'near', 'deep'],
    ['far', 'near', 'deep'],
  ])
  for (const [i, fill] of fills.entries()) {
    const base: Point = [random.between(10, 70) + i * 96, H + random.between(14, 40)]
    const length = random.between(165, 215)
    const angle = -Math.PI / 2 + lean + random.between(-0.28, 0.28) + (flip ? 0.18 : -0.18) * (i - 1)
    const belly = random.between(0.24, 0.34)
    shapes.push({ d: leaf(base, length, angle, belly), fill })
    const [ux, uy] = [Math.cos(angle), Math.sin(angle)]
    let lines = `M${Math.round(base[0])} ${Math.round(base[1])}l${Math.round(ux * length * 0.94)} ${Math.round(uy * length * 0.94)}`
    for (let k = 2; k < 8; k++) {
      const t = k / 9
      // Half the blade's width at t, slightly inside the quadratic edge of leaf().
      const reach = length * belly * 4 * t * (1 - t) * 0.72
      for (const side of [-1, 1]) {
        const start: Point = [base[0] + ux * length * t, base[1] + uy * length * t]
        const out: Point = [-uy * side * reach + ux * reach * 0.62, ux * side * reach + uy * reach * 0.62]
        lines += `M${Math.round(start[0])} ${Math.round(start[1])}q${Math.round(out[0] * 0.6 - ux * 4)} ${Math.round(out[1] * 0.45 - uy * 4)} ${Math.round(out[0])} ${Math.round(out[1])}`
      }
    }
    shapes.push({ d: lines, stroke: 'line', width: 1.3, opacity: 0.7 })
  }
  return shapes
}

const sprigs: Composition = (random) => {
  const shapes = random.chance(0.6) ? sun(random, random.between(50, 270), random.between(44, 70), random.between(20, 32)) : []
  const stems = random.whole(3, 4)
  const pairs = stems === 3 ? 4 : 3
  const size = 30 + (4 - stems) * 4 + (5 - pairs) * 5
  const fills: CoverRole[] = ['mid', 'near', 'deep']
  const belly = random.between(0.18, 0.32)
  const lean = random.between(-40, 40)
  for (let i = 0; i < stems; i++) {
    const x = ((i + 0.5) * W) / stems + random.between(-16, 16) - lean / 2
    const top = random.between(26, 78)
    const bend = lean + random.between(-16, 16)
    const fill = fills[(i + random.whole(0, 1)) % 3]!
    const at = (t: number): Point => [x + bend * t * t, H + 6 - (H + 6 - top) * t]
    const upward = (t: number) => -Math.PI / 2 + (bend * t) / 74
    let leaves = leaf(at(0.98), 24, upward(1), belly)
    for (let k = 1; k <= pairs; k++) {
      const t = k / (pairs + 1) + 0.06
      for (const side of [-1, 1]) leaves += leaf(at(t + side * 0.025), size - t * 16, upward(t) + side * (1.08 - t * 0.34), belly)
    }
    shapes.push({ d: curve([at(0), at(0.5), at(1)]), stroke: fill, width: 1.8 }, { d: leaves, fill })
  }
  return shapes
}

const furrows: Composition = (random) => {
  const horizon = random.between(62, 84)
  const vanish = random.between(60, 260)
  const shapes = sun(random, vanish + random.between(-40, 40), horizon - random.between(2, 22), random.between(15, 25))
  shapes.push({ d: below(ridge(random, horizon - 3, 8, 2)), fill: 'far' })
  shapes.push({
    d: `M0 ${Math.round(horizon + 4)}Q160 ${Math.round(horizon - random.between(0, 8))} 320 ${Math.round(horizon + 4)}V168H0z`,
    fill: 'mid',
  })
  const rows = random.whole(9, 13)
  const spread = random.between(640, 860)
  const sway = random.between(-26, 26)
  const [odd, even] = [[], []] as [string[], string[]]
  for (let i = 0; i < rows; i++) {
    const from = vanish + ((i - rows / 2) / rows) * spread
    const to = vanish + ((i + 0.56 - rows / 2) / rows) * spread
    const start = vanish + ((i + 0.28 - rows / 2) / rows) * 74
    const middle = (x: number) => (x + start) / 2 + sway
    const row = `M${Math.round(start)} ${Math.round(horizon + 3)}Q${Math.round(middle(from))} ${Math.round((horizon + H) / 2)} ${Math.round(from)} 172H${Math.round(to)}Q${Math.round(middle(to))} ${Math.round((horizon + H) / 2)} ${Math.round(start)} ${Math.round(horizon + 3)}z`
    ;(i % 2 ? odd : even).push(row)
  }
  shapes.push({ d: even.join(''), fill: 'near' }, { d: odd.join(''), fill: 'deep' })
  return shapes
}

const water: Composition = (random) => {
  const shore = Math.round(random.between(70, 90))
  const x = random.between(70, 250)
  const shapes = sun(random, x, shore - random.between(12, 30), random.between(16, 24))
  shapes.push({ d: below(ridge(random, shore - 12, 11, 2)), fill: 'far' }, { d: below(ridge(random, shore - 2, 6, 1)), fill: 'near' })
  shapes.push({ d: `M0 ${shore}H320V168H0z`, fill: 'mid' })
  let [light, bright, shade] = ['', '', '']
  for (let i = 0; i < 7; i++) {
    const y = Math.round(shore + 8 + i * (9 + i * 0.7))
    const half = 20 - Math.abs(i - 2) * 2 + random.between(-4, 4)
    light += `M${Math.round(x - half + random.between(-5, 5))} ${y}h${Math.round(half * 2)}`
    for (const side of [-1, 1]) {
      const dash = `M${Math.round(x + side * random.between(54, 110))} ${y}h${Math.round(side * random.between(18, 44))}`
      if (random.chance(0.5)) shade += dash
      else bright += dash
      if (random.chance(0.5)) shade += `M${Math.round(x + side * random.between(150, 220))} ${y + 3}h${random.whole(16, 40)}`
    }
  }
  shapes.push({ d: shade, stroke: 'near', width: 2.6 }, { d: bright, stroke: 'far', width: 2.6 }, { d: light, stroke: 'sun', width: 3.2 })
  return shapes
}

/** The inside of a hoop house, with light at its end. */
const tunnel: Composition = (random) => {
  const x = Math.round(random.between(104, 216))
  const floor = Math.round(random.between(100, 112))
  const step = random.between(30, 36)
  const colors: CoverRole[] = ['deep', 'near', 'mid', 'far', 'sky']
  const shapes: Shape[] = [{ d: 'M0 0H320V168H0z', fill: 'deep' }]
  for (const [i, fill] of colors.slice(1).entries()) {
    const r = Math.round(20 + (3 - i) * step)
    const spring = Math.round(floor - r * 0.15)
    shapes.push({ d: `M${x - r} 170V${spring}a${r} ${r} 0 0 1 ${2 * r} 0V170z`, fill, stroke: 'line', width: 1.3 })
  }
  shapes.push({ d: dome(x, floor, random.between(10, 14)), fill: 'sun' })
  // Beds on both sides of a path converge at the light.
  const beds = [-7.6, -3.4, -1, 1, 3.4, 7.6].map((slope): Point => [x + slope * (H + 2 - floor), H + 2])
  // biome-ignore format: four corners
  const bed = (from: number, to: number) => polygon([[x - 9, floor], [x + 9, floor], beds[to]!, beds[from]!])
  shapes.push({ d: bed(0, 5), fill: 'near' }, { d: `${bed(0, 1)}${bed(4, 5)}`, fill: 'deep' }, { d: bed(2, 3), fill: 'far' })
  return shapes
}

const greenhouse: Composition = (random) => {
  const ground = random.between(134, 146)
  const shapes = sun(random, random.between(40, 280), random.between(38, 62), random.between(16, 25))
  shapes.push({ d: below(ridge(random, random.between(86, 100), 13, random.whole(1, 2))), fill: 'far' })
  const houses = random.whole(2, 3)
  const width = random.between(300, 350) / houses
  const start = random.between(-24, 10)
  const [wall, rise] = [random.between(34, 46), random.between(24, 38)]
  for (let i = 0; i < houses; i++) {
    const [l, r] = [start + i * width, start + (i + 1) * width - 6]
    const [eaves, top, middle] = [ground - wall, ground - wall - rise, (l + r) / 2]
    // biome-ignore format: five corners
    shapes.push({ d: polygon([[l, ground], [l, eaves], [middle, top], [r, eaves], [r, ground]]), fill: i % 2 ? 'mid' : 'near', opacity: 0.86 })
    let bars = `M${Math.round(l)} ${Math.round(eaves)}H${Math.round(r)}M${Math.round(middle)} ${Math.round(top)}V${Math.round(ground)}`
    for (const t of [0.25, 0.5, 0.75, 1.25, 1.5, 1.75]) {
      const high = eaves - rise * (t < 1 ? t : 2 - t)
      bars += `M${Math.round(l + ((r - l) / 2) * t)} ${Math.round(high)}V${Math.round(ground)}`
    }
    shapes.push({
      d: `${bars}M${Math.round(l)} ${Math.round(eaves)}L${Math.round(middle)} ${Math.round(top)}L${Math.round(r)} ${Math.round(eaves)}`,
      stroke: 'line',
      width: 1.4,
    })
  }
  shapes.push({ d: below(ridge(random, ground + 3, 4, 2)), fill: 'deep' })
  return shapes
}

const canopy: Composition = (random) => {
  const shapes = sun(random, random.between(50, 270), random.between(32, 50), random.between(16, 24))
  const colors: CoverRole[] = ['far', 'mid', 'near', 'deep']
  const top = random.between(64, 76)
  const size = random.between(17, 22)
  for (const [row, fill] of colors.entries()) {
    const r = Math.round(size + row * 3.4)
    const y = Math.round(top + 20 + row * 23)
    const crowns = Math.ceil(W / (2 * r)) + 2
    const start = -Math.round(random.between(0, 2 * r))
    shapes.push({ d: `M${start} 168V${y}${`a${r} ${r} 0 0 1 ${2 * r} 0`.repeat(crowns)}V168z`, fill })
    let marks = ''
    for (let i = random.whole(0, 1); i < crowns; i += random.whole(3, 5)) {
      marks += `M${start + i * 2 * r + Math.round(r * 0.45)} ${y + 2}a${Math.round(r * 0.55)} ${Math.round(r * 0.55)} 0 0 1 ${Math.round(r * 1.1)} 0`
    }
    if (marks) shapes.push({ d: marks, stroke: 'line', width: 1.3, opacity: 0.55 })
  }
  return shapes
}

const road: Composition = (random) => {
  const horizon = random.between(66, 82)
  const side = random.chance(0.5) ? 1 : -1
  const x = 160 + side * random.between(10, 70)
  const shapes = sun(random, x - side * random.between(60, 110), horizon - random.between(10, 26), random.between(15, 24))
  shapes.push({ d: below(ridge(random, horizon, 12, 2)), fill: 'far' })
  shapes.push({ d: below(ridge(random, horizon + 20, 9, 1)), fill: 'mid' })
  const top = horizon + 16
  const land = `M0 ${Math.round(top + 8)}Q${Math.round(x)} ${Math.round(top - 10)} 320 ${Math.round(top + 10)}V168H0z`
  shapes.push({ d: land, fill: 'near' })
  const sway = side * random.between(58, 92)
  const [bend, end] = [x + sway, x - sway * 0.7]
  const path = (shift: number) =>
    `${Math.round(x + shift * 0.06)} ${Math.round(top)}C${Math.round(bend + shift * 0.3)} ${Math.round(top + 22)} ${Math.round(end - sway + shift * 0.6)} ${Math.round(top + 34)} ${Math.round(end + shift)} 170`
  const back = `L${Math.round(end + 44)} 170C${Math.round(end - sway + 27)} ${Math.round(top + 34)} ${Math.round(bend + 13)} ${Math.round(top + 22)} ${Math.round(x + 3)} ${Math.round(top)}z`
  shapes.push({ d: `M${path(-44)}${back}`, fill: 'line', opacity: 0.85 }, { d: `M${path(0)}`, stroke: 'near', width: 1.2 })
  // biome-ignore format: four points
  shapes.push({ d: below([[0, 168 - random.between(6, 22)], [90, 168 - random.between(0, 10)], [190, 176], [W, 168 - random.between(4, 20)]]), fill: 'deep' })
  return shapes
}

const facets: Composition = (random) => {
  const shapes: Shape[] = []
  const colors: CoverRole[] = random.chance(0.5) ? ['far', 'near', 'mid', 'deep'] : ['mid', 'deep', 'far', 'near']
  const start = random.between(10, 50)
  const drift = random.between(-26, 26)
  let rims = ''
  for (const [i, fill] of colors.entries()) {
    const [x, y, r] = [start + i * random.between(74, 84), H / 2 + drift * (i - 1.5) + random.between(-12, 12), random.between(54, 84)]
    shapes.push({ d: circle(x, y, r), fill, opacity: 0.5 })
    rims += circle(x, y, r) + circle(x, y, r * 0.8)
  }
  const light = { d: circle(random.between(80, 240), random.between(54, 110), random.between(18, 26)), fill: 'sun' } as const
  return [...shapes, { ...light, opacity: 0.9 }, { d: rims, stroke: 'line', width: 1.2, opacity: 0.7 }]
}

const rays: Composition = (random) => {
  const [x, y] = [random.between(90, 230), random.between(98, 112)]
  const count = random.whole(7, 10)
  const turn = random.between(0, 0.3)
  let fan = ''
  for (let i = 0; i < count; i++) {
    const corner = (k: number): Point => [
      x + Math.cos(Math.PI + turn + (Math.PI * k) / count) * 330,
      y + Math.sin(Math.PI + turn + (Math.PI * k) / count) * 330,
    ]
    fan += polygon([[x, y], corner(i), corner(i + 0.5)])
  }
  const shapes: Shape[] = [
    { d: fan, fill: 'far', opacity: 0.7 },
    { d: circle(x, y - 4, random.between(26, 36)), fill: 'sun' },
  ]
  for (const [i, fill] of (['mid', 'near', 'deep'] as const).entries())
    shapes.push({ d: below(ridge(random, y + 4 + i * 23, 10, random.whole(1, 2))), fill })
  return shapes
}

const contours: Composition = (random) => {
  const shapes: Shape[] = []
  const slope = random.between(-26, 26)
  const bends = Array.from({ length: 5 }, () => random.between(-20, 20))
  const bands = random.whole(6, 8)
  const colors: CoverRole[] = ['far', 'far', 'mid', 'mid', 'near', 'near', 'deep', 'deep']
  shapes.push(...sun(random, random.between(50, 270), random.between(30, 50), random.between(14, 22)))
  for (let i = 0; i < bands; i++) {
    const y = 56 + (i * 112) / bands
    const points = bends.map((bend, k): Point => [k * 80, y + slope * (k / 4 - 0.5) + bend * (1 - i / bands) + random.between(-4, 4)])
    shapes.push({ d: below(points), fill: colors[Math.round((i / (bands - 1)) * 7)]!, stroke: 'line', width: 1.2 })
  }
  return shapes
}

export const compositions = { hills, terraces, veins, sprigs, furrows, water, tunnel, greenhouse, canopy, road, facets, rays, contours }
export type CompositionName = keyof typeof compositions

/** Unlisted types use `other`. */
const repertoire: Partial<Record<BusinessType, readonly CompositionName[]>> & Record<'other', readonly CompositionName[]> = {
  farm: ['hills', 'furrows', 'terraces', 'greenhouse', 'sprigs', 'tunnel', 'canopy', 'rays', 'veins', 'contours', 'water'],
  dispensary: ['veins', 'sprigs', 'hills', 'water', 'terraces', 'rays', 'canopy', 'contours', 'greenhouse', 'facets', 'furrows', 'road'],
  smoke_shop: ['contours', 'water', 'rays', 'hills', 'facets', 'veins', 'sprigs', 'canopy'],
  glass_shop: ['facets', 'greenhouse', 'rays', 'water', 'contours', 'tunnel', 'veins'],
  food_service: ['canopy', 'sprigs', 'furrows', 'terraces', 'veins', 'rays', 'greenhouse', 'hills'],
  delivery: ['road', 'hills', 'contours', 'terraces', 'water', 'rays', 'furrows'],
  other: ['hills', 'contours', 'canopy', 'terraces', 'sprigs', 'tunnel', 'water', 'rays', 'veins'],
}

export function coverComposition(id: string, type: BusinessType): CompositionName {
  return seededRandom(hashText(id)).pick(repertoire[type] ?? repertoire.other)
}

/** The same ID and type always give the same shapes, back to front. */
export function coverShapes(id: string, type: BusinessType): Shape[] {
  const random = seededRandom(hashText(`${id}/shapes`))
  const composition = coverComposition(id, type)
  const sky: Shape = { d: `M0 0H${W}V${H}H0z`, fill: 'sky' }
  return [sky, ...compositions[composition](random).map((shape) => ({ ...shape, d: shape.d.replaceAll(' -', '-') }))]
}

export function coverVariable(role: CoverRole): string {
  return `var(--cover-${role})`
}

/**
 * SVG text, for use without a DOM. With `theme`, colors are hex values. Otherwise, they come from the page's stylesheet, through
 * `data-cover`. The aspect ratio is 320 × 168; other sizes are cropped.
 */
export function drawCover(id: string, type: BusinessType, options: { width?: number; height?: number; theme?: CoverTheme } = {}): string {
  const palette = options.theme && coverPalette(type, options.theme)
  const color = (role: CoverRole) => (palette ? palette[role] : coverVariable(role))
  const paths = coverShapes(id, type)
    .map(({ d, fill, stroke, width, opacity }) => {
      const paint = `fill="${fill ? color(fill) : 'none'}"`
      const line = stroke ? ` stroke="${color(stroke)}" stroke-width="${width ?? 1}"${fill ? '' : ' stroke-linecap="round"'}` : ''
      return `<path d="${d}" ${paint}${line}${opacity === undefined ? '' : ` opacity="${opacity}"`}/>`
    })
    .join('')
  const { width = W, height = H } = options
  return `<svg xmlns="http://www.w3.org/2000/svg" data-cover="${type}" width="${width}" height="${height}" viewBox="0 0 ${W} ${H}" preserveAspectRatio="xMidYMid slice">${paths}</svg>`
}
