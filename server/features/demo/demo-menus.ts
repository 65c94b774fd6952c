import type { ProductCategory, StrainType, WeightUnit } from '#contracts/menu-fields.ts'

/** A value or a range; in percent for smoked and vaped products, otherwise in milligrams. */
export type DemoPotency = number | readonly [low: number, high: number]

type DemoSize = {
  weight?: readonly [number, WeightUnit]
  cents: number
  saleCents?: number | undefined
  memberCents?: number | undefined
  stock?: number | undefined
}

export type DemoItem = {
  name: string
  category: ProductCategory
  subcategory?: string
  description?: string
  strain?: string
  strainType?: StrainType
  brand?: string
  thc?: DemoPotency
  cbd?: DemoPotency
  sizes: DemoSize[]
  isAvailable?: false
}

/** Whole dollars, as shops price jars. */
const dollars = (cents: number) => Math.round(cents / 100) * 100

/** Jar sizes, with prices based on that of an eighth: larger jars are cheaper per gram. */
export const jar = (eighthCents: number, more: Pick<DemoSize, 'stock' | 'saleCents' | 'memberCents'> = {}): DemoSize[] => [
  { weight: [1, 'g'], cents: dollars(eighthCents * 0.34) },
  { weight: [3.5, 'g'], cents: eighthCents, ...more },
  { weight: [7, 'g'], cents: dollars(eighthCents * 1.85) },
  { weight: [28, 'g'], cents: dollars(eighthCents * 6.2) },
]

const flower = (
  [strain, strainType]: readonly [string, StrainType],
  eighthCents: number,
  thc: DemoPotency,
  brand: string,
  { stock, saleCents, memberCents, ...more }: Partial<DemoItem> & Parameters<typeof jar>[1] = {},
): DemoItem => ({
  name: strain,
  category: 'Flower',
  strain,
  strainType,
  brand,
  thc,
  sizes: jar(eighthCents, { stock, saleCents, memberCents }),
  ...more,
})

const preRoll = ([strain, strainType]: readonly [string, StrainType], cents: number, thc: number, brand: string): DemoItem => ({
  name: `${strain} pre-roll`,
  category: 'Pre-Rolls',
  subcategory: 'Single',
  strain,
  strainType,
  brand,
  thc,
  sizes: [
    { weight: [1, 'g'], cents },
    { weight: [5, 'g'], cents: dollars(cents * 4.4) },
  ],
})

const slowFurrow = 'Slow Furrow Farm'
const hollowReed = 'Hollow Reed Farm'
const saltAndMeadow = 'Salt & Meadow Kitchen'

/** Menu items in addition to those defined with each business. Strains are real; everything else is invented. */
export const demoMenus: Record<string, DemoItem[]> = {
  lanternfold: [
    flower(['Durban Poison', 'sativa'], 3400, [19.8, 21.4], 'Lower Terrace', { memberCents: 3000 }),
    flower(['Northern Lights', 'indica'], 3200, [18.2, 24.1], 'Lower Terrace', { saleCents: 2600, stock: 4 }),
    flower(['Strawberry Cough', 'sativa'], 3500, 20.2, 'Quarry Hill', { memberCents: 3100 }),
    flower(['Harlequin', 'sativa'], 3300, 7.1, 'Quarry Hill', { cbd: 11.8 }),
    preRoll(['Jack Herer', 'sativa'], 900, 19.5, 'Lower Terrace'),
    preRoll(['White Widow', 'hybrid'], 900, 20.8, 'Quarry Hill'),
    {
      name: 'Blueberry live resin cartridge',
      category: 'Vapes',
      subcategory: 'Cartridge',
      strain: 'Blueberry',
      strainType: 'indica',
      brand: 'Still Room',
      thc: 78.4,
      sizes: [
        { weight: [0.5, 'g'], cents: 4200 },
        { weight: [1, 'g'], cents: 7600, memberCents: 6900 },
      ],
    },
    {
      name: 'Bubble hash',
      category: 'Concentrates',
      subcategory: 'Hash',
      strain: 'Afghan Kush',
      strainType: 'indica',
      brand: 'Still Room',
      thc: 52.3,
      sizes: [{ weight: [1, 'g'], cents: 3600 }],
    },
    {
      name: 'Seltzer, grapefruit and rosemary',
      category: 'Drinks',
      subcategory: 'Seltzer',
      brand: 'Still Room',
      thc: 5,
      sizes: [
        { weight: [1, 'piece'], cents: 650 },
        { weight: [4, 'piece'], cents: 2300, saleCents: 1900 },
      ],
    },
  ],
  quietwater: [
    flower(['Hindu Kush', 'indica'], 3600, [18, 21.5], 'North Slope', { stock: 5 }),
    flower(['Tangie', 'sativa'], 3400, 21.1, 'North Slope', { memberCents: 3000 }),
    preRoll(['Cherry Pie', 'hybrid'], 1000, 18.6, 'North Slope'),
    {
      name: 'Drops, one to one',
      category: 'Tinctures',
      subcategory: 'Drops',
      brand: 'Creek Bend',
      thc: 150,
      cbd: 150,
      sizes: [
        { weight: [30, 'ml'], cents: 3900 },
        { weight: [60, 'ml'], cents: 7200 },
      ],
    },
    {
      name: 'Honey sticks, ten',
      category: 'Edibles',
      subcategory: 'Candy',
      brand: 'Creek Bend',
      thc: 50,
      sizes: [{ weight: [10, 'piece'], cents: 1800 }],
    },
  ],
  hourglass: [
    preRoll(['Pineapple Express', 'hybrid'], 1100, 20.1, 'Quarry Hill'),
    {
      name: 'Ginger chews, twenty',
      category: 'Edibles',
      subcategory: 'Gummies',
      brand: 'Still Room',
      thc: 100,
      sizes: [{ weight: [20, 'piece'], cents: 1700 }],
    },
  ],
  gantry: [
    flower(['Sour Diesel', 'sativa'], 2800, [20.9, 22.6], slowFurrow, { saleCents: 2300, stock: 18 }),
    flower(['Blueberry', 'indica'], 2600, 17.9, slowFurrow),
    flower(['Trainwreck', 'hybrid'], 2700, 20.4, hollowReed, { isAvailable: false }),
    preRoll(['Super Lemon Haze', 'sativa'], 700, 21.3, hollowReed),
    preRoll(['Skunk #1', 'hybrid'], 600, 16.8, slowFurrow),
    {
      name: 'Press room rosin',
      category: 'Concentrates',
      subcategory: 'Rosin',
      strain: 'Tangie',
      strainType: 'sativa',
      brand: 'Press Room',
      thc: 71.2,
      sizes: [
        { weight: [1, 'g'], cents: 3100, saleCents: 2600, stock: 2 },
        { weight: [3.5, 'g'], cents: 9800 },
      ],
    },
    {
      name: 'Chemdawg cartridge',
      category: 'Vapes',
      subcategory: 'Cartridge',
      strain: 'Chemdawg',
      strainType: 'hybrid',
      brand: 'Press Room',
      thc: 81.5,
      sizes: [{ weight: [1, 'g'], cents: 3400 }],
    },
    {
      name: 'Balm, arnica and cedar',
      category: 'Topicals',
      subcategory: 'Balm',
      brand: 'Press Room',
      cbd: 200,
      sizes: [{ weight: [60, 'ml'], cents: 2400 }],
    },
    {
      name: 'Clone, Acapulco Gold',
      category: 'Seeds & Clones',
      subcategory: 'Clone',
      strain: 'Acapulco Gold',
      strainType: 'sativa',
      brand: hollowReed,
      sizes: [{ weight: [1, 'piece'], cents: 2500 }],
    },
  ],
  osier: [
    flower(['Granddaddy Purple', 'indica'], 5200, 20.7, 'Lakefront Rooms', { memberCents: 4600 }),
    flower(['Amnesia Haze', 'sativa'], 5000, [21, 23.4], 'Lakefront Rooms', { stock: 3 }),
    flower(['ACDC', 'hybrid'], 4600, 1.1, 'Prairie Edge', { cbd: 14.2 }),
    preRoll(['Maui Wowie', 'sativa'], 1300, 18.4, 'Prairie Edge'),
    {
      name: 'Cocoa nib bar, ten squares',
      category: 'Edibles',
      subcategory: 'Chocolate',
      brand: 'Prairie Edge',
      thc: 100,
      sizes: [{ weight: [10, 'piece'], cents: 2600 }],
    },
    { name: 'Lemonade, unsweetened', category: 'Drinks', brand: 'Prairie Edge', thc: 10, sizes: [{ weight: [240, 'ml'], cents: 900 }] },
  ],
  thirdkettle: [
    { name: 'Glass tips, box of six', category: 'Accessories', sizes: [{ weight: [6, 'piece'], cents: 1400 }] },
    { name: 'Hemp wick, 60 feet', category: 'Accessories', sizes: [{ cents: 700 }] },
  ],
  saltandmeadow: [
    {
      name: 'Blood orange pastilles, ten',
      category: 'Edibles',
      subcategory: 'Gummies',
      brand: saltAndMeadow,
      thc: 50,
      sizes: [{ weight: [10, 'piece'], cents: 2200 }],
    },
    {
      name: 'Bitter lemon cordial',
      category: 'Drinks',
      brand: saltAndMeadow,
      thc: 100,
      isAvailable: false,
      sizes: [{ weight: [250, 'ml'], cents: 2800 }],
    },
  ],
}
