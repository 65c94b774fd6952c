import { curve, leaf, type Point } from '#web/ui/cover/shapes.ts'
import type { Random } from '#web/ui/seed.ts'

/** A plant as paths: back leaves, front leaves, stems (leaf color) and veins (lighter). */
export type Plant = { back: string; front: string; stems: string; veins: string }
export type Species = (random: Random, foot: Point, height: number) => Plant

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

export const fern: Species = (random, foot, height) => {
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

export const rubberTree: Species = (random, foot, height) => {
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

export const swordLeaf: Species = (random, foot, height) => {
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

export const olive: Species = (random, foot, height) => {
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

export const herb: Species = (random, foot, height) => {
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

export const seedling: Species = (_random, foot, height) => {
  const top = ahead(foot, up + 0.05, height * 0.62)
  return {
    ...bare,
    front: lens(top, height * 0.52, up - 0.95, 0.62) + lens(top, height * 0.48, up + 0.95, 0.62),
    back: lens(top, height * 0.32, up + 0.1, 0.7),
    stems: line(foot, top),
  }
}

/** A strand of paired leaves hanging from `foot`, `height` long. */
export const trailer: Species = (random, foot, height) => {
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

/**
 * A leaf as two arcs, in a compact path. `bulge` is the arcs' radius relative to the length: 0.5 is round, 2 is a blade.
 */
function lens(base: Point, length: number, angle: number, bulge: number): string {
  const [dx, dy] = [Math.round(Math.cos(angle) * length), Math.round(Math.sin(angle) * length)]
  const r = Math.max(1, Math.round(length * bulge))
  return `M${Math.round(base[0])} ${Math.round(base[1])}a${r} ${r} 0 0 1 ${dx} ${dy} ${r} ${r} 0 0 1 ${-dx} ${-dy}`
}
