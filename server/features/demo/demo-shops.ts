import type { DemoBusiness } from './demo-businesses.ts'

export const demoShops: DemoBusiness[] = [
  {
    key: 'copperleaf',
    owner: 'maya',
    name: 'Copperleaf & Daughters',
    type: 'dispensary',
    city: 'Denver',
    state: 'CO',
    description: 'A corner shop with twelve jars on the counter, changed every second Thursday. Ask to smell before you buy.',
    products: [
      { name: 'Ditch Lily by Lantern Hill, 3.5 g', price: 3600, category: 'Flower', description: 'This month’s farm jar.' },
      { name: 'House gummies, 10 pieces', price: 1800, category: 'Edibles', description: '10 mg THC each. Plum.' },
      { name: 'Balm No. 4', price: 2600, category: 'Topicals', description: 'Beeswax, calendula, 300 mg CBD.' },
      {
        name: 'Storage jar, amber',
        price: 900,
        category: 'Accessories',
        description: 'Seals, and keeps the light out.',
        isAvailable: false,
      },
    ],
    posts: [
      {
        daysAgo: 3,
        type: 'promotion',
        title: 'The farm jar for November',
        content:
          'Ditch Lily from Lantern Hill, twelve jars, until they are gone. The grower is at the counter on Saturday from two to five.',
      },
      {
        daysAgo: 8,
        type: 'update',
        title: 'New hours on Sundays',
        content: 'Eleven to five from this week on, because the bakery next door asked us to keep them company.',
      },
      {
        daysAgo: 6,
        type: 'product',
        title: 'For subscribers: two jars of the spring hunt',
        content:
          'Three Gates sent us two jars of plants that are not named yet. Subscribers may try them first and write on the card what they smell.',
        isExclusive: true,
      },
    ],
  },
  {
    key: 'night-ferry',
    owner: 'theo',
    name: 'Night Ferry Provisions',
    type: 'dispensary',
    city: 'Portland',
    state: 'OR',
    description: 'Long counter, short menu, and a shelf of books that may be borrowed. Every jar carries its harvest date.',
    products: [
      { name: 'Fog Bell by Saltmarsh Row, 3.5 g', price: 3000, category: 'Flower', description: 'Harvested on September 28.' },
      { name: 'Drinking chocolate, 5 cups', price: 2200, category: 'Edibles', description: '5 mg THC a cup, not very sweet.' },
      { name: 'Rosin, cold cure, 1 g', price: 4800, category: 'Concentrates', description: 'Pressed on the ninth from fresh frozen.' },
    ],
    posts: [
      {
        daysAgo: 1,
        type: 'update',
        title: 'Harvest dates on every label',
        content:
          'It took a new printer and a stubborn week, but every jar now says when its plant was cut. If a date is missing, tell us, and we take the jar off the shelf.',
      },
    ],
  },
  {
    key: 'juniper-street',
    owner: 'theo',
    name: 'Juniper Street Apothecary',
    type: 'dispensary',
    city: 'Chicago',
    state: 'IL',
    description: 'Quiet, by appointment in the mornings, walk-in from noon. Lab reports hang in a binder by the door.',
    products: [
      { name: 'Blue Hour, 3.5 g', price: 4500, category: 'Flower', description: 'Grown indoors, tested in October.' },
      { name: 'Mints, tin of 40', price: 2000, category: 'Edibles', description: '2.5 mg THC each.' },
    ],
    posts: [
      {
        daysAgo: 7,
        type: 'educational',
        title: 'How to read the first page of a lab report',
        content:
          'Look for three things before the big number: the sample date, the name of the lab, and whether the batch number is the one on your jar. A result without a batch is a result about some other jar.',
      },
    ],
  },
  {
    key: 'long-light',
    owner: 'maya',
    name: 'Long Light Delivery',
    type: 'delivery',
    city: 'Las Vegas',
    state: 'NV',
    description: 'Two cars, a dispatcher who answers, and no surge on weekends.',
    products: [{ name: 'Evening set', price: 5400, category: 'Bundles', description: 'Flower, papers and a tin, delivered until ten.' }],
    posts: [
      {
        daysAgo: 10,
        type: 'update',
        title: 'We now cover Henderson',
        content: 'Orders from Henderson take about an hour. Have your card ready at the door: we check every time, also when we know you.',
      },
    ],
  },
  {
    key: 'north-window',
    owner: 'theo',
    name: 'North Window Glass',
    type: 'glass_shop',
    city: 'Denver',
    state: 'CO',
    description: 'A lampworker’s bench with a shop in front. Borosilicate, made here, repaired here.',
    products: [
      { name: 'Spoon, sea green', price: 5500, category: 'Glass', description: 'Made on Tuesdays, never twice the same.' },
      { name: 'Repair', price: 2500, category: 'Service', description: 'A chipped joint or a cracked foot. Bring it clean.' },
    ],
    posts: [
      {
        daysAgo: 14,
        type: 'update',
        title: 'Open bench on the first Friday',
        content: 'Watch from behind the screen while we pull points and tell you which of them will crack. Usually we are right.',
      },
    ],
  },
  {
    key: 'harbor-table',
    owner: 'maya',
    name: 'Harbor Table',
    type: 'food_service',
    city: 'Anchorage',
    state: 'AK',
    description: 'Soup, bread and a license to let you smoke on the covered deck. Bring a coat.',
    products: [
      { name: 'Deck supper', price: 3800, category: 'Table', description: 'Three courses, nothing infused. Flower is what you bring.' },
    ],
    posts: [
      {
        daysAgo: 11,
        type: 'update',
        title: 'The deck has heaters',
        content: 'Four of them, in a row, facing the water. Reserve the seats at the rail; the others are first come.',
      },
    ],
  },
]
