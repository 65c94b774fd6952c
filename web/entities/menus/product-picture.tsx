import type { BusinessType } from '#contracts/business-types.ts'
import type { Media } from '#contracts/media.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { coverVariable } from '#web/ui/cover/draw-cover.ts'
import type { CoverRole } from '#web/ui/cover/tones.ts'
import { cx } from '#web/ui/cx.ts'
import { hashText, type Random, seededRandom } from '#web/ui/seed.ts'

type ProductPictureProps = {
  product: DrawnProduct & { image: Media | null }
  className?: string
  sizes?: string
}

/**
 * Without a photo, shows a drawing of the product's form. Square; `className` sets the size. Decorative: the product's name is always next
 * to it.
 */
export function ProductPicture({ product, className, sizes = '112px' }: ProductPictureProps) {
  return (
    <span className={cx('block shrink-0 overflow-clip rounded-input border border-line bg-sunk', className)}>
      {product.image ? <MediaPicture media={product.image} sizes={sizes} /> : <Drawing product={product} />}
    </span>
  )
}

function Drawing({ product }: { product: DrawnProduct }) {
  const { tone, paths } = drawProduct(product)
  return (
    <svg data-cover={tone} data-product="" viewBox="0 0 96 96" aria-hidden="true" className="block size-full">
      {paths.map(({ d, fill, stroke, width, opacity, turn }, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the paths of one ID never change their order
          key={index}
          d={d}
          fill={fill ? coverVariable(fill) : 'none'}
          stroke={stroke && coverVariable(stroke)}
          strokeWidth={width}
          strokeLinecap={stroke && 'round'}
          opacity={opacity}
          transform={turn ? `rotate(${turn} 48 48)` : undefined}
        />
      ))}
    </svg>
  )
}

/** A drawing has 96 × 96 units; `turn` rotates around its center, in degrees. */
type DrawnPath = { d: string; fill?: CoverRole; stroke?: CoverRole; width?: number; opacity?: number; turn?: number }
type Draw = (random: Random) => DrawnPath[]

type DrawnProduct = { id: string; name: string; category: ProductCategory | null; subcategory: string | null }

const round = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0z`

const box = (x: number, y: number, width: number, height: number, r: number) =>
  `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1-${r} ${r}h-${width - 2 * r}a${r} ${r} 0 0 1-${r}-${r}v-${height - 2 * r}a${r} ${r} 0 0 1 ${r}-${r}z`

function mark(random: Random, x: number, y: number): DrawnPath {
  return random.pick<DrawnPath>([
    { d: round(x, y, 4), fill: 'sun' },
    { d: `M${x} ${y + 5}q-7-5 0-11q7 6 0 11z`, fill: 'near' },
    { d: `M${x - 6} ${y + 3}a6 6 0 0 1 12 0z`, fill: 'sun' },
    { d: `M${x - 6} ${y - 2}h12M${x - 4} ${y + 3}h8`, stroke: 'near', width: 2 },
    { d: `M${x - 6} ${y + 3}q3-8 6-3q3-7 6 3z`, fill: 'mid' },
  ])
}

const capColor = (random: Random): CoverRole => random.pick(['deep', 'near', 'sun'])

const jar: Draw = (random) => {
  const wide = random.whole(0, 3)
  const [left, width] = [27 - wide, 42 + 2 * wide]
  const buds = (
    [
      [38, 46, 8],
      [54, 44, 9],
      [46, 53, 8],
      [61, 54, 7],
      [35, 58, 7],
    ] as const
  ).map(([x, y, r]) => [x + random.whole(-1, 1), y + random.whole(-1, 1), r] as const)
  return [
    { d: box(left, 30, width, 50, 9), fill: 'line', opacity: 0.8 },
    { d: `M${left + 5} 51h${width - 10}v19q0 5-5 5h-${width - 20}q-5 0-5-5z`, fill: 'mid' },
    { d: buds.map(([x, y, r]) => round(x, y, r)).join(''), fill: 'mid' },
    { d: buds.map(([x, y, r]) => `M${x - r + 2} ${y + 2}q${r - 2}-9 ${2 * r - 4} 0`).join(''), stroke: 'near', width: 2 },
    { d: buds.map(([x, y]) => `M${x - 1} ${y - 4}l2-2`).join(''), stroke: 'sun', width: 2 },
    { d: box(left + 1, 20, width - 2, 11, 3), fill: capColor(random) },
    { d: box(left, 58, width, 17, 1), fill: 'line' },
    mark(random, 48, 66),
  ]
}

function cone(turn: number, tip: CoverRole): DrawnPath[] {
  return [
    { d: 'M40 29h16l-4 43h-8z', fill: 'line', turn },
    { d: 'M40 29q7-7 6-15h4q-1 8 6 15z', fill: 'mid', turn },
    { d: 'M44 70h8l-1 13h-6z', fill: tip, turn },
    { d: 'M42.500 44l11.500 4M43 56l9.500 4', stroke: 'far', width: 1.5, turn },
  ]
}

const preRoll: Draw = (random) => {
  const tip = random.pick<CoverRole>(['sun', 'near', 'deep'])
  const lean = random.whole(24, 44)
  return random.chance(0.5) ? cone(lean, tip) : [...cone(lean - 46, tip), ...cone(lean, tip)]
}

const cartridge: Draw = (random) => {
  const oil = random.whole(42, 50)
  const cap = capColor(random)
  return [
    { d: 'M41 18q7-5 14 0l2 15h-18z', fill: cap },
    { d: box(37, 32, 22, 34, 4), fill: 'line', opacity: 0.85 },
    { d: `M40 ${oil}h16v17h-16z`, fill: 'sun' },
    { d: 'M46 34h4v30h-4z', fill: 'near', opacity: 0.6 },
    { d: box(37, 63, 22, 7, 2), fill: 'deep' },
    { d: 'M42 70h12v11h-12z', fill: 'near' },
    { d: 'M42 73h12M42 77h12', stroke: 'line', width: 1.2 },
  ]
}

const pen: Draw = (random) => {
  const turn = random.whole(-24, 24)
  const body = random.pick<CoverRole>(['near', 'mid', 'deep'])
  return [
    { d: 'M42 27q0-15 6-15t6 15z', fill: 'line', turn },
    { d: box(39, 26, 18, 58, 7), fill: body, turn },
    { d: box(43, 36, 10, 18, 4), fill: 'sun', turn },
    { d: round(48, 74, 2.5), fill: 'line', turn },
  ]
}

const dabJar: Draw = (random) => {
  const lid = capColor(random)
  const left = random.chance(0.5)
  return [
    { d: 'M25 54q23-10 46 0v18q-2 9-23 9t-23-9z', fill: 'line', opacity: 0.9 },
    { d: 'M25 54a23 7 0 0 0 46 0a23 7 0 0 0-46 0z', fill: 'deep' },
    { d: 'M30 55a18 5 0 0 0 36 0q-4-4-9-2t-10-2q-12-2-17 4z', fill: 'sun' },
    { d: 'M31 70q17 6 34 0', stroke: 'near', width: 2.5 },
    { d: 'M27 30h42v6q-21 8-42 0z', fill: lid, turn: left ? -14 : 14 },
    { d: 'M27 30a21 6 0 0 1 42 0a21 6 0 0 1-42 0z', fill: lid, turn: left ? -14 : 14 },
    { d: 'M33 30a15 3.500 0 0 1 30 0', stroke: 'line', width: 1.4, turn: left ? -14 : 14 },
  ]
}

const gummies: Draw = (random) => {
  const places = [
    [22, 58],
    [42, 60],
    [62, 57],
    [31, 40],
    [52, 39],
    [42, 21],
  ] as const
  const count = random.whole(4, 6)
  return places.slice(0, count).flatMap(([x, y], index): DrawnPath[] => {
    const fill = (['sun', 'near', 'mid'] as const)[(index + random.whole(0, 2)) % 3] ?? 'sun'
    return [
      { d: box(x, y, 18, 18, 6), fill },
      { d: `M${x + 5} ${y + 8}q1-4 5-4`, stroke: 'line', width: 2 },
    ]
  })
}

const chocolate: Draw = (random) => {
  const turn = random.whole(-14, 14)
  const squares = [0, 1, 2].flatMap((column) => [0, 1, 2, 3].map((row) => [31 + column * 12, 16 + row * 11] as const))
  const isBitten = random.chance(0.5)
  const kept = isBitten ? squares.filter(([x, y]) => !(x > 50 && y < 20)) : squares
  return [
    { d: isBitten ? 'M28 13h25l3 7 12 4v38h-40z' : 'M28 13h40v49h-40z', fill: 'near', turn },
    { d: kept.map(([x, y]) => box(x, y, 10, 9, 2)).join(''), fill: 'deep', turn },
    { d: 'M25 54l4-4 4 4 4-4 4 4 4-4 4 4 4-4 4 4 4-4 4 4 4-4 2 4v28h-46z', fill: random.pick(['sun', 'line', 'mid']), turn },
    { ...mark(random, 48, 68), turn },
  ]
}

const cookie: Draw = (random) => {
  const chips = [
    [38, 40],
    [56, 38],
    [47, 52],
    [34, 58],
    [60, 58],
    [48, 68],
  ] as const
  return [
    { d: round(48, 52, 28), fill: 'mid' },
    { d: round(48, 50, 25), fill: 'sun', opacity: 0.55 },
    { d: chips.map(([x, y]) => round(x + random.whole(-2, 2), y + random.whole(-2, 2), random.whole(3, 4))).join(''), fill: 'deep' },
  ]
}

const can: Draw = (random) => {
  const body = random.pick<CoverRole>(['near', 'mid', 'sun'])
  const y = random.whole(44, 50)
  return [
    { d: 'M32 21h32l3 6v49l-4 7h-30l-4-7v-49z', fill: body },
    { d: 'M32 21a16 4 0 0 1 32 0a16 4 0 0 1-32 0z', fill: 'line' },
    { d: 'M44 20h8', stroke: 'deep', width: 2 },
    { d: `M29 ${y}q19-10 38 0v20q-19-10-38 0z`, fill: 'line', opacity: 0.9 },
    mark(random, 48, y + 5),
    { d: 'M35 30v44', stroke: 'line', width: 2.5, opacity: 0.6 },
  ]
}

const dropper: Draw = (random) => [
  { d: 'M44 12q4-4 8 0v14h-8z', fill: capColor(random) },
  { d: box(40, 25, 16, 9, 2), fill: 'deep' },
  { d: 'M42 34h12v5q11 4 11 13v25q0 5-5 5h-24q-5 0-5-5v-25q0-9 11-13z', fill: random.pick(['near', 'sun', 'mid']) },
  { d: 'M47 36h2v24h-2z', fill: 'line', opacity: 0.7 },
  { d: box(35, 53, 26, 20, 2), fill: 'line' },
  mark(random, 48, 63),
]

const tube: Draw = (random) => [
  { d: 'M29 14h38l-6 55h-26z', fill: random.pick(['mid', 'near', 'line']) },
  { d: 'M28 12h40v6h-40z', fill: 'far' },
  { d: 'M34 15v0M40 12v6M46 12v6M52 12v6M58 12v6M63 12v6', stroke: 'near', width: 1.2 },
  { d: box(36, 68, 24, 14, 3), fill: capColor(random) },
  { d: 'M36 30h24l-2 26h-20z', fill: 'line', opacity: 0.9 },
  mark(random, 48, 43),
]

const balm: Draw = (random) => [
  { d: box(25, 50, 46, 31, 7), fill: 'line' },
  { d: box(23, 34, 50, 18, 5), fill: capColor(random) },
  { d: 'M29 40v6M35 40v6M41 40v6M47 40v6M53 40v6M59 40v6M65 40v6', stroke: 'line', width: 1.3, opacity: 0.6 },
  mark(random, 48, 66),
]

const seedling: Draw = (random) => {
  const lean = random.whole(-4, 4)
  const leaves = random.chance(0.5)
  return [
    { d: `M48 62q${lean}-16 ${lean}-30`, stroke: 'near', width: 3 },
    { d: `M${48 + lean} 34q-20 2-22-16q19-3 22 16zM${48 + lean} 34q20 2 22-16q-19-3-22 16z`, fill: 'mid' },
    { d: leaves ? 'M48 52q-13 2-16-9q12-2 16 9zM48 52q13 2 16-9q-12-2-16 9z' : round(48 + lean, 31, 3), fill: 'near' },
    { d: 'M30 60h36l-5 23h-26z', fill: random.pick(['deep', 'sun', 'near']) },
    { d: box(27, 56, 42, 8, 2), fill: 'deep' },
  ]
}

const seeds: Draw = (random) => [
  { d: 'M26 14h44v68h-44z', fill: random.pick(['line', 'sun', 'mid']) },
  { d: 'M26 14h44v11h-44z', fill: 'near' },
  { d: 'M48 62q0-14 0-20', stroke: 'deep', width: 2 },
  { d: 'M48 48q-13 1-14-11q12-2 14 11zM48 44q12 1 13-10q-11-2-13 10z', fill: 'near' },
  {
    d: [36, 48, 60].map((x) => `M${x - 4} ${72 + random.whole(-2, 1)}q4-6 8 0q-4 6-8 0z`).join(''),
    fill: 'deep',
  },
]

const grinder: Draw = (random) => [
  { d: 'M26 52h44v20q0 10-22 10t-22-10z', fill: 'near' },
  { d: 'M28 32h40v18h-40z', fill: random.pick(['mid', 'sun', 'deep']) },
  { d: 'M26 50h44v5h-44z', fill: 'deep' },
  { d: 'M28 32a20 7 0 0 1 40 0a20 7 0 0 1-40 0z', fill: 'line' },
  { d: 'M33 40v8M39 41v8M45 42v7M51 42v7M57 41v8M63 40v8', stroke: 'line', width: 1.6, opacity: 0.6 },
  { d: 'M31 61v12M38 63v13M48 64v13M58 63v13M65 61v12', stroke: 'line', width: 1.6, opacity: 0.5 },
  mark(random, 48, 32),
]

const pouch: Draw = (random) => [
  { d: 'M28 18h40l3 60q-23 7-46 0z', fill: random.pick(['sun', 'mid', 'near']) },
  { d: 'M28 16h40v9h-40z', fill: 'deep' },
  { d: 'M31 29h34', stroke: 'line', width: 1.5, opacity: 0.8 },
  { d: box(35, 40, 26, 26, 4), fill: 'line' },
  mark(random, 48, 53),
]

/** Words in the subcategory or the name choose among a category's forms. */
const forms: Record<ProductCategory, readonly { words?: RegExp; draw: Draw }[]> = {
  Flower: [{ draw: jar }],
  'Pre-Rolls': [{ draw: preRoll }],
  Vapes: [{ words: /dispos|pen\b|pod|all.in.one|stick/i, draw: pen }, { draw: cartridge }],
  Concentrates: [{ draw: dabJar }],
  Edibles: [{ words: /choc|truffle|\bbar\b/i, draw: chocolate }, { words: /cook|brownie|bak|cake/i, draw: cookie }, { draw: gummies }],
  Drinks: [{ draw: can }],
  Tinctures: [{ draw: dropper }],
  Topicals: [{ words: /balm|salve|butter|cream/i, draw: balm }, { draw: tube }],
  'Seeds & Clones': [{ words: /seed(?!ling)/i, draw: seeds }, { draw: seedling }],
  Accessories: [{ draw: grinder }],
  Other: [{ draw: pouch }],
}

/** Palettes of {@link file://../../ui/cover/cover.css} that suit a category. */
const tones: Record<ProductCategory, readonly BusinessType[]> = {
  Flower: ['farm', 'delivery', 'dispensary'],
  'Pre-Rolls': ['delivery', 'food_service', 'farm'],
  Vapes: ['glass_shop', 'dispensary', 'smoke_shop'],
  Concentrates: ['food_service', 'delivery'],
  Edibles: ['food_service', 'smoke_shop', 'delivery'],
  Drinks: ['dispensary', 'food_service', 'glass_shop'],
  Tinctures: ['delivery', 'farm', 'food_service'],
  Topicals: ['smoke_shop', 'dispensary', 'farm'],
  'Seeds & Clones': ['farm', 'delivery'],
  Accessories: ['glass_shop', 'smoke_shop', 'food_service'],
  Other: ['food_service', 'farm', 'delivery'],
}

/** The same product always gets the same drawing. */
export function drawProduct({ id, name, category, subcategory }: DrawnProduct): { tone: BusinessType; paths: DrawnPath[] } {
  const kind = category ?? 'Other'
  const random = seededRandom(hashText(id))
  const tone = random.pick(tones[kind])
  const words = `${subcategory ?? ''} ${name}`
  const form = forms[kind].find((each) => each.words?.test(words) ?? true)
  const shelf = random.whole(70, 76)
  const light = random.pick([24, 48, 72])
  return {
    tone,
    paths: [
      { d: 'M0 0H96V96H0z', fill: 'sky' },
      { d: round(light, random.whole(36, 46), random.whole(30, 36)), fill: 'far', opacity: 0.55 },
      { d: `M0 ${shelf}H96V96H0z`, fill: 'far' },
      { d: 'M22 82a26 4 0 0 1 52 0a26 4 0 0 1-52 0z', fill: 'mid', opacity: 0.6 },
      ...(form?.draw(random) ?? []),
    ],
  }
}
