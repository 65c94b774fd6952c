import type { Amenity } from '#contracts/amenities.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import { type DemoItem, jar } from './demo-menus.ts'

export type DemoBusiness = {
  key: string
  owner: string
  name: string
  type: BusinessType
  city: string
  state: string
  /** Null for farms, which are shown at their city. */
  zip: string | null
  address?: string
  phone: string
  description: string
  openedDaysAgo: number
  amenities?: Amenity[]
  products: DemoItem[]
}

/** Invented businesses in real cities. Their phone numbers are from the range reserved for fiction. */
export const demoBusinesses: DemoBusiness[] = [
  {
    key: 'lanternfold',
    owner: 'marlow',
    name: 'Lanternfold Dispensary',
    type: 'dispensary',
    city: 'Denver',
    state: 'CO',
    zip: '80205',
    address: '12 Wick Lane',
    phone: '(303) 555-0142',
    openedDaysAgo: 300,
    amenities: ['adult_use', 'debit', 'atm', 'parking', 'wheelchair'],
    description:
      'A small shop with one long counter and a shelf for every grower we know by name. Ask us what came in this week; we smelled every jar, too.',
    products: [
      {
        name: 'Terrace No. 4',
        category: 'Flower',
        description: 'Sun-grown on the lower terrace, slow-dried for sixteen days. Pine, lemon peel, a little pepper.',
        sizes: jar(3200),
      },
      { name: 'Terrace No. 7', category: 'Flower', description: 'Dense, late-harvest. Plum skin and cedar.', sizes: jar(3600) },
      {
        name: 'House pre-roll, single',
        category: 'Pre-Rolls',
        subcategory: 'Single',
        description: 'One gram of whole flower from the same jar, rolled here on the morning the label was printed.',
        sizes: [{ cents: 700 }],
      },
      {
        name: 'Cold-pressed rosin',
        category: 'Concentrates',
        subcategory: 'Rosin',
        description: 'From one plant, one press, one page in our log. Keep it cold.',
        isAvailable: false,
        sizes: [{ weight: [1, 'g'], cents: 4800 }],
      },
      {
        name: 'Dark chocolate, 70%, ten squares',
        category: 'Edibles',
        subcategory: 'Chocolate',
        description: '5 mg THC per square, bitter and not too sweet. Child-resistant tin.',
        sizes: [{ weight: [10, 'piece'], cents: 2200, memberCents: 1900, stock: 24 }],
      },
    ],
  },
  {
    key: 'quietwater',
    owner: 'marlow',
    name: 'Quietwater Provisions',
    type: 'dispensary',
    city: 'Boulder',
    state: 'CO',
    zip: '80302',
    address: '4 Stillwater Lane',
    phone: '(303) 555-0167',
    openedDaysAgo: 240,
    description:
      'Short menu, changed on Thursdays. Everything on it was grown within ninety miles, and the card beside each jar says by whom.',
    products: [
      {
        name: 'North Slope',
        category: 'Flower',
        description: 'Grown at 6,900 feet in living soil. Juniper and black tea.',
        sizes: jar(3400),
      },
      {
        name: 'Creek Bend',
        category: 'Flower',
        description: 'A gram for the curious. Grapefruit pith, fresh-cut grass.',
        sizes: [{ weight: [1, 'g'], cents: 1100 }],
      },
      {
        name: 'Unscented salve',
        category: 'Topicals',
        subcategory: 'Balm',
        description: 'Beeswax and sunflower oil, nothing to cover the smell of either.',
        sizes: [{ weight: [50, 'ml'], cents: 2800 }],
      },
      {
        name: 'Sampler of four pre-rolls',
        category: 'Pre-Rolls',
        subcategory: 'Pack',
        description: 'Half a gram of each of the week’s four jars.',
        sizes: [{ weight: [4, 'piece'], cents: 2400 }],
      },
    ],
  },
  {
    key: 'hourglass',
    owner: 'marlow',
    name: 'Hourglass Courier',
    type: 'delivery',
    city: 'Aurora',
    state: 'CO',
    zip: '80012',
    phone: '(720) 555-0118',
    openedDaysAgo: 130,
    description: 'Evening delivery by people who work here, not by an app. We check the ID at your door, every time, including ours.',
    products: [
      {
        name: 'Evening box, small',
        category: 'Flower',
        description: 'An eighth, a pre-roll and the grower’s card.',
        sizes: [{ cents: 4500 }],
      },
      {
        name: 'Evening box, large',
        category: 'Flower',
        description: 'Two eighths from different farms, two pre-rolls.',
        sizes: [{ cents: 8200 }],
      },
    ],
  },
  {
    key: 'slowfurrow',
    owner: 'odile',
    name: 'Slow Furrow Farm',
    type: 'farm',
    city: 'Hood River',
    state: 'OR',
    zip: null,
    phone: '(541) 555-0131',
    openedDaysAgo: 290,
    description:
      'Two people, forty-eight beds, one harvest a year. Rain-fed until July, hand-trimmed in October, sold out by spring most years.',
    products: [
      {
        name: 'October lot, by the pound',
        category: 'Flower',
        description: 'For licensed buyers. Certificate of analysis with every lot.',
        sizes: [{ cents: 78000 }],
      },
      {
        name: 'Seed-grown mixed lot, by the pound',
        category: 'Flower',
        description: 'Seven sisters from one cross, kept apart in the drying room.',
        isAvailable: false,
        sizes: [{ cents: 61000 }],
      },
    ],
  },
  {
    key: 'gantry',
    owner: 'odile',
    name: 'Gantry Street Dispensary',
    type: 'dispensary',
    city: 'Portland',
    state: 'OR',
    zip: '97214',
    phone: '(503) 555-0155',
    openedDaysAgo: 275,
    description: 'In a former print shop, with the type drawers full of jars. Open at ten; the quiet hour is before noon.',
    products: [
      { name: 'Galley Proof', category: 'Flower', description: 'Light, airy, smells of orange oil and rain.', sizes: jar(2600) },
      { name: 'Second Edition', category: 'Flower', description: 'The keeper from last year’s hunt, in its second run.', sizes: jar(2900) },
      {
        name: 'Offcut',
        category: 'Flower',
        description: 'Small buds from the same jars. Good for people who roll.',
        sizes: [{ weight: [14, 'g'], cents: 5200 }],
      },
      {
        name: 'Dry-sift hash',
        category: 'Concentrates',
        subcategory: 'Hash',
        description: 'Sifted cold and pressed by hand.',
        sizes: [{ weight: [1, 'g'], cents: 2300 }],
      },
      {
        name: 'Ginger shortbread, ten pieces',
        category: 'Edibles',
        subcategory: 'Baked',
        description: '5 mg THC each. Baked in a licensed kitchen, sealed and labeled.',
        sizes: [{ cents: 1900 }],
      },
    ],
  },
  {
    key: 'hollowreed',
    owner: 'odile',
    name: 'Hollow Reed Farm',
    type: 'farm',
    city: 'Bellingham',
    state: 'WA',
    zip: null,
    phone: '(360) 555-0109',
    openedDaysAgo: 180,
    description: 'Greenhouse growers on an old dairy. We breed for mildew resistance first and scent second, and publish what didn’t work.',
    products: [],
  },
  {
    key: 'achterberg',
    owner: 'tobin',
    name: 'Cinder & Thread Glassworks',
    type: 'glass_shop',
    city: 'Ann Arbor',
    state: 'MI',
    zip: '48104',
    phone: '(734) 555-0126',
    openedDaysAgo: 285,
    description: 'Borosilicate, made in the back and sold in the front. If it cracks in the first year, bring it in and we’ll see why.',
    products: [
      {
        name: 'Straight tube, 10 in',
        category: 'Accessories',
        description: 'Clear, 5 mm wall, ground joint. No tricks.',
        sizes: [{ cents: 9500 }],
      },
      {
        name: 'Spoon, smoke gray',
        category: 'Accessories',
        description: 'Sits flat on a table. Signed and dated underneath.',
        sizes: [{ cents: 4200 }],
      },
      {
        name: 'One-hitter, worked amber',
        category: 'Accessories',
        description: 'Each one is a little different; choose yours at the counter.',
        sizes: [{ cents: 1800 }],
      },
      { name: 'Repair, per joint', category: 'Other', description: 'Usually within a week.', sizes: [{ cents: 3500 }] },
    ],
  },
  {
    key: 'thirdkettle',
    owner: 'tobin',
    name: 'Third Kettle Smoke Shop',
    type: 'smoke_shop',
    city: 'Ypsilanti',
    state: 'MI',
    zip: '48197',
    phone: '(734) 555-0173',
    openedDaysAgo: 160,
    description: 'Papers, grinders, trays and good advice on cleaning all of them. No tobacco.',
    products: [
      {
        name: 'Unbleached papers, king size',
        category: 'Accessories',
        description: 'Fifty leaves, rice and hemp.',
        sizes: [{ cents: 300 }],
      },
      {
        name: 'Steel grinder, two-part',
        category: 'Accessories',
        description: 'Teeth you can sharpen. Made to be handed down.',
        sizes: [{ cents: 2900 }],
      },
      {
        name: 'Walnut rolling tray',
        category: 'Accessories',
        description: 'Cut and oiled in the shop next door.',
        sizes: [{ cents: 3800 }],
      },
    ],
  },
  {
    key: 'osier',
    owner: 'tobin',
    name: 'Osier House Dispensary',
    type: 'dispensary',
    city: 'Evanston',
    state: 'IL',
    zip: '60201',
    phone: '(847) 555-0184',
    openedDaysAgo: 110,
    description: 'Bright, quiet and easy to find. We print the harvest date larger than the price.',
    products: [
      { name: 'Lake Effect', category: 'Flower', description: 'Indoor, hand-watered. Cool mint and fir.', sizes: jar(4800) },
      { name: 'Prairie Burn', category: 'Flower', description: 'Sweet hay, cracked pepper.', sizes: jar(4500) },
      {
        name: 'Single-origin pre-roll',
        category: 'Pre-Rolls',
        subcategory: 'Single',
        description: 'Whole flower, no trim, one farm.',
        sizes: [{ cents: 1200 }],
      },
    ],
  },
  {
    key: 'saltandmeadow',
    owner: 'ines',
    name: 'Salt & Meadow Kitchen',
    type: 'food_service',
    city: 'Northampton',
    state: 'MA',
    zip: '01060',
    phone: '(413) 555-0147',
    openedDaysAgo: 250,
    description: 'A licensed kitchen that measures everything twice. Small batches, plain wrappers, doses you can read without glasses.',
    products: [
      {
        name: 'Rosemary crackers, twelve',
        category: 'Edibles',
        subcategory: 'Baked',
        description: '2.5 mg THC each. Savory, thin, no sugar.',
        sizes: [{ cents: 2100 }],
      },
      {
        name: 'Salted butter caramels, ten',
        category: 'Edibles',
        subcategory: 'Candy',
        description: '5 mg THC each, individually wrapped and numbered by batch.',
        sizes: [{ cents: 2400 }],
      },
      {
        name: 'Chamomile and hemp leaf tea, eight bags',
        category: 'Edibles',
        description: '2.5 mg THC per bag. Best without milk.',
        isAvailable: false,
        sizes: [{ cents: 1600 }],
      },
    ],
  },
  {
    key: 'fennelrow',
    owner: 'ines',
    name: 'Fennel Row Farm',
    type: 'farm',
    city: 'Brattleboro',
    state: 'VT',
    zip: null,
    phone: '(802) 555-0112',
    openedDaysAgo: 225,
    description:
      'An acre on the south side of a hill. We hunt through old crosses, and keep a clone of every plant until the last jar is judged.',
    products: [
      {
        name: 'Hillside lot, by the pound',
        category: 'Flower',
        description: 'For licensed buyers. Dried in the loft, nine weeks cured.',
        sizes: [{ cents: 92000 }],
      },
    ],
  },
  {
    key: 'measuredlight',
    owner: 'ines',
    name: 'Measured Light Laboratory',
    type: 'other',
    city: 'Santa Fe',
    state: 'NM',
    zip: '87501',
    phone: '(505) 555-0193',
    openedDaysAgo: 90,
    description: 'Potency, terpenes and a clear report. We explain every number to anyone who calls.',
    products: [],
  },
]
