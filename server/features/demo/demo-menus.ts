import type { ProductCategory, WeightUnit } from '../../../contracts/menus.ts'

export type DemoItem = {
  name: string
  category: ProductCategory
  cents: number
  strain?: string
  brand?: string
  thc?: number
  cbd?: number
  weight?: readonly [number, WeightUnit]
  memberCents?: number
  isAvailable?: false
}

const smoked = new Set<ProductCategory>(['Flower', 'Pre-Rolls', 'Vapes', 'Concentrates'])
export const potencyUnitOf = (category: ProductCategory): 'percent' | 'mg' => (smoked.has(category) ? 'percent' : 'mg')

const flower = (strain: string, cents: number, thc: number, brand: string, more: Partial<DemoItem> = {}): DemoItem => ({
  name: `${strain}, 3.5 g`,
  category: 'Flower',
  cents,
  strain,
  brand,
  thc,
  weight: [3.5, 'g'],
  ...more,
})

const preRoll = (strain: string, cents: number, thc: number, brand: string): DemoItem => ({
  name: `${strain} pre-roll, 1 g`,
  category: 'Pre-Rolls',
  cents,
  strain,
  brand,
  thc,
  weight: [1, 'g'],
})

const slowFurrow = 'Slow Furrow Farm'
const hollowReed = 'Hollow Reed Farm'
const saltAndMeadow = 'Salt & Meadow Kitchen'

/** More of what the demo's businesses sell, beside the items that are described with them. Strains are real, all else is invented. */
export const demoMenus: Record<string, DemoItem[]> = {
  lanternfold: [
    flower('Durban Poison', 3400, 21.4, 'Lower Terrace', { memberCents: 3000 }),
    flower('Northern Lights', 3200, 18.9, 'Lower Terrace'),
    flower('Strawberry Cough', 3500, 20.2, 'Quarry Hill', { memberCents: 3100 }),
    flower('Harlequin', 3300, 7.1, 'Quarry Hill', { cbd: 11.8 }),
    preRoll('Jack Herer', 900, 19.5, 'Lower Terrace'),
    preRoll('White Widow', 900, 20.8, 'Quarry Hill'),
    {
      name: 'Blueberry live resin cartridge, 0.5 g',
      category: 'Vapes',
      cents: 4200,
      strain: 'Blueberry',
      brand: 'Still Room',
      thc: 78.4,
      weight: [0.5, 'g'],
    },
    {
      name: 'Bubble hash, 1 g',
      category: 'Concentrates',
      cents: 3600,
      strain: 'Afghan Kush',
      brand: 'Still Room',
      thc: 52.3,
      weight: [1, 'g'],
    },
    { name: 'Seltzer, grapefruit and rosemary', category: 'Drinks', cents: 650, brand: 'Still Room', thc: 5, weight: [355, 'ml'] },
  ],
  quietwater: [
    flower('Hindu Kush', 3600, 19.7, 'North Slope'),
    flower('Tangie', 3400, 21.1, 'North Slope', { memberCents: 3000 }),
    preRoll('Cherry Pie', 1000, 18.6, 'North Slope'),
    { name: 'Drops, one to one', category: 'Tinctures', cents: 3900, brand: 'Creek Bend', thc: 150, cbd: 150, weight: [30, 'ml'] },
    { name: 'Honey sticks, ten', category: 'Edibles', cents: 1800, brand: 'Creek Bend', thc: 50, weight: [10, 'piece'] },
  ],
  hourglass: [
    preRoll('Pineapple Express', 1100, 20.1, 'Quarry Hill'),
    { name: 'Ginger chews, twenty', category: 'Edibles', cents: 1700, brand: 'Still Room', thc: 100, weight: [20, 'piece'] },
  ],
  gantry: [
    flower('Sour Diesel', 2800, 22.6, slowFurrow),
    flower('Blueberry', 2600, 17.9, slowFurrow),
    flower('Trainwreck', 2700, 20.4, hollowReed, { isAvailable: false }),
    preRoll('Super Lemon Haze', 700, 21.3, hollowReed),
    preRoll('Skunk #1', 600, 16.8, slowFurrow),
    {
      name: 'Press room rosin, 1 g',
      category: 'Concentrates',
      cents: 3100,
      strain: 'Tangie',
      brand: 'Press Room',
      thc: 71.2,
      weight: [1, 'g'],
    },
    {
      name: 'Chemdawg cartridge, 1 g',
      category: 'Vapes',
      cents: 3400,
      strain: 'Chemdawg',
      brand: 'Press Room',
      thc: 81.5,
      weight: [1, 'g'],
    },
    { name: 'Balm, arnica and cedar', category: 'Topicals', cents: 2400, brand: 'Press Room', cbd: 200, weight: [60, 'ml'] },
    {
      name: 'Clone, Acapulco Gold',
      category: 'Seeds & Clones',
      cents: 2500,
      strain: 'Acapulco Gold',
      brand: hollowReed,
      weight: [1, 'piece'],
    },
  ],
  osier: [
    flower('Granddaddy Purple', 5200, 20.7, 'Lakefront Rooms', { memberCents: 4600 }),
    flower('Amnesia Haze', 5000, 22.1, 'Lakefront Rooms'),
    flower('ACDC', 4600, 1.1, 'Prairie Edge', { cbd: 14.2 }),
    preRoll('Maui Wowie', 1300, 18.4, 'Prairie Edge'),
    { name: 'Cocoa nib bar, ten squares', category: 'Edibles', cents: 2600, brand: 'Prairie Edge', thc: 100, weight: [10, 'piece'] },
    { name: 'Lemonade, unsweetened', category: 'Drinks', cents: 900, brand: 'Prairie Edge', thc: 10, weight: [240, 'ml'] },
  ],
  thirdkettle: [
    { name: 'Glass tips, box of six', category: 'Accessories', cents: 1400, weight: [6, 'piece'] },
    { name: 'Hemp wick, 60 feet', category: 'Accessories', cents: 700 },
  ],
  saltandmeadow: [
    { name: 'Blood orange pastilles, ten', category: 'Edibles', cents: 2200, brand: saltAndMeadow, thc: 50, weight: [10, 'piece'] },
    {
      name: 'Bitter lemon cordial',
      category: 'Drinks',
      cents: 2800,
      brand: saltAndMeadow,
      thc: 100,
      weight: [250, 'ml'],
      isAvailable: false,
    },
  ],
}
