import type { DemoBusiness } from './demo-businesses.ts'

export const demoFarms: DemoBusiness[] = [
  {
    key: 'lantern-hill',
    owner: 'maya',
    name: 'Lantern Hill Sungrown',
    type: 'farm',
    city: 'Longmont',
    state: 'CO',
    description:
      'Forty beds under open sky between two irrigation ditches. We plant late, cut once and cure slowly, and write down what each bed did.',
    products: [
      { name: 'Ditch Lily, 3.5 g', price: 3200, category: 'Flower', description: 'Cut on October 9, cured for six weeks. Bed 12.' },
      { name: 'Ditch Lily, 14 g', price: 11000, category: 'Flower', description: 'The same bed, in a jar that lasts.' },
      { name: 'Copper Kettle, 3.5 g', price: 3000, category: 'Flower', description: 'Smells of orange peel and cold tea. Bed 31.' },
      {
        name: 'Field pre-rolls, pack of 5',
        price: 2400,
        category: 'Pre-rolls',
        description: 'Whole flower only, half a gram each.',
        isAvailable: false,
      },
    ],
    posts: [
      {
        daysAgo: 2,
        type: 'update',
        title: 'First frost, last rows',
        content:
          'We covered rows 30 to 40 on Tuesday night and woke to white edges on the sheets. Everything under them is fine. The rest hangs in the barn, and the barn smells of oranges.',
      },
      {
        daysAgo: 9,
        type: 'educational',
        title: 'Why we cure for six weeks',
        content:
          'Drying takes the water out; curing evens out what is left. We open each jar twice a day in the first week, once a day in the second, and after that only to look. Weigh one jar every time: when the weight stands still for a week, it is done.',
      },
      {
        daysAgo: 5,
        type: 'update',
        title: 'For subscribers: the tasting notes of beds 1 to 20',
        content:
          'Our own scores of this season, bed by bed, with what we would plant again and what we would not. Beds 4, 12 and 17 stay; bed 9 was pretty and tasted of nothing.',
        isExclusive: true,
      },
    ],
  },
  {
    key: 'three-gates',
    owner: 'maya',
    name: 'Three Gates Greenhouse',
    type: 'farm',
    city: 'Pueblo',
    state: 'CO',
    description:
      'One glass house, three doors, and a boiler that is older than all of us. We keep eleven mother plants and release two crosses a year.',
    products: [
      { name: 'Gatekeeper, 3.5 g', price: 3600, category: 'Flower', description: 'The eleventh mother, run again after two years.' },
      { name: 'Gatekeeper seeds, pack of 10', price: 8000, category: 'Seeds', description: 'Regular seeds, F2, from our own pollen.' },
    ],
    posts: [
      {
        daysAgo: 4,
        type: 'update',
        title: 'Sixty seeds, eleven keepers on the bench',
        content:
          'The spring hunt is down to eleven plants. Two of them are siblings that we cannot tell apart with our eyes closed, so both get another run beside the check clone.',
      },
    ],
  },
  {
    key: 'saltmarsh',
    owner: 'theo',
    name: 'Saltmarsh Row',
    type: 'farm',
    city: 'Tillamook',
    state: 'OR',
    description: 'Fog until ten, sun until six. Light-assisted rows on the coast, washed for hash more often than sold as flower.',
    products: [
      { name: 'Fog Bell ice-water hash, 1 g', price: 4200, category: 'Concentrates', description: '90 to 120 micron, freeze dried.' },
      { name: 'Fog Bell, 3.5 g', price: 2800, category: 'Flower', description: 'The flower that the hash comes from.' },
    ],
    posts: [
      {
        daysAgo: 1,
        type: 'educational',
        title: 'What a wash tells you that a jar does not',
        content:
          'We wash 200 grams of every plant we might keep. Some of the loudest flower gave 2 percent; the plain one beside it gave 5. Resin that falls off easily is a trait like height or color, and it only shows in the water.',
      },
    ],
  },
  {
    key: 'sugarbush',
    owner: 'theo',
    name: 'Sugarbush Terrace',
    type: 'farm',
    city: 'Stowe',
    state: 'VT',
    description:
      'A maple farm with one terrace of cannabis below the sugarhouse. Small, slow, and closed for two weeks in March when the sap runs.',
    products: [
      { name: 'Terrace mix, 7 g', price: 6500, category: 'Flower', description: 'Three plants, one jar, labeled with the share of each.' },
    ],
    posts: [
      {
        daysAgo: 12,
        type: 'update',
        title: 'The terrace is asleep',
        content: 'Cover crop is in: winter rye and a little vetch. We see you again in May, and answer messages by the stove until then.',
      },
    ],
  },
]
