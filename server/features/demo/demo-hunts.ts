/** Two hunts of demo growers, one public and one private. Strains, scores and people are invented. */
export type DemoHunt = {
  person: string
  name: string
  breeders: string[]
  cross: { mother: string; father: string; isSelfed: boolean; generation: string; seedType: 'regular' | 'feminized' | 'auto' }
  environment: string
  goals: string
  plantLimit: number | null
  isPublic: boolean
  germinatedDaysAgo: number
  run: { name: string; room: string; medium: string; light: string }
  flowerDaysAgo: number
  /** Null before harvest. */
  harvestedDaysAgo: number | null
  /** Plants 1 to 12: final height in cm, and scores from 1 to 5. */
  plants: { height: number; vigor: number; aroma: number; resin: number; dryGrams: number }[]
  decisions: { number: number; kind: 'keep' | 'retest' | 'cull' | 'breed'; reason: string; daysAgo: number }[]
  notes: { number: number | null; daysAgo: number; text: string }[]
  tasks: { title: string; dueInDays: number; everyDays: number | null; number: number | null }[]
  comments: { person: string; daysAgo: number; text: string }[]
}

const plants = (...rows: [height: number, vigor: number, aroma: number, resin: number, dryGrams: number][]) =>
  rows.map(([height, vigor, aroma, resin, dryGrams]) => ({ height, vigor, aroma, resin, dryGrams }))

export const demoHunts: DemoHunt[] = [
  {
    person: 'odile',
    name: 'Copper Ferry × Lime Lantern F2',
    breeders: ['Marchetti Terraces'],
    cross: { mother: 'Copper Ferry', father: 'Lime Lantern', isSelfed: false, generation: 'F2', seedType: 'feminized' },
    environment: 'Greenhouse',
    goals: 'The father’s lime on the mother’s frame, finished before the October rain. Nothing that foxtails in the heat.',
    plantLimit: null,
    isPublic: true,
    germinatedDaysAgo: 128,
    run: { name: 'Summer greenhouse', room: 'South bay', medium: 'Living soil, 30 L', light: 'Sun' },
    flowerDaysAgo: 72,
    harvestedDaysAgo: 10,
    plants: plants(
      [118, 3, 2, 3, 84],
      [131, 4, 3, 2, 96],
      [109, 4, 5, 4, 88],
      [142, 5, 2, 2, 121],
      [97, 2, 3, 3, 61],
      [125, 4, 4, 3, 92],
      [113, 4, 5, 5, 97],
      [136, 3, 2, 2, 104],
      [104, 2, 1, 2, 58],
      [121, 3, 4, 4, 83],
      [128, 5, 3, 3, 110],
      [116, 3, 3, 4, 79],
    ),
    decisions: [
      { number: 9, kind: 'cull', reason: 'Smells of hay, and the smallest by far.', daysAgo: 40 },
      { number: 5, kind: 'cull', reason: 'Foxtails on every top.', daysAgo: 32 },
      { number: 3, kind: 'retest', reason: 'As loud as #7 and shorter. One more run beside it.', daysAgo: 6 },
      { number: 7, kind: 'keep', reason: 'Lime that lasted through drying, and the most resin.', daysAgo: 5 },
    ],
    notes: [
      { number: null, daysAgo: 96, text: 'Topped all of them above the fifth node.' },
      { number: 7, daysAgo: 24, text: 'Rub the stem and the whole bay smells of lime peel.' },
      { number: 4, daysAgo: 24, text: 'The biggest of all, but the nose is faint.' },
    ],
    tasks: [],
    comments: [
      { person: 'wren', daysAgo: 4, text: 'Did the lime hold through the cure?' },
      { person: 'odile', daysAgo: 3, text: 'Two weeks in jars and it is all still there on #7. On #3 it turned sweeter.' },
    ],
  },
  {
    person: 'wren',
    name: 'Night Ferry S1',
    breeders: ['Own work'],
    cross: { mother: 'Night Ferry', father: '', isSelfed: true, generation: 'S1', seedType: 'feminized' },
    environment: 'Indoor tent',
    goals: 'One plant that stays under a meter and smells the way the mother did.',
    plantLimit: 12,
    isPublic: false,
    germinatedDaysAgo: 64,
    run: { name: 'Tent, first run', room: 'Tent 120 × 120', medium: 'Coco, 11 L', light: 'LED 480 W' },
    flowerDaysAgo: 20,
    harvestedDaysAgo: null,
    plants: plants(
      [74, 3, 3, 2, 0],
      [81, 4, 4, 3, 0],
      [69, 3, 2, 2, 0],
      [92, 5, 3, 3, 0],
      [77, 4, 5, 4, 0],
      [63, 2, 2, 1, 0],
      [85, 4, 3, 3, 0],
      [79, 3, 4, 2, 0],
      [88, 4, 2, 2, 0],
      [71, 3, 4, 3, 0],
      [58, 1, 1, 1, 0],
      [83, 4, 4, 4, 0],
    ),
    decisions: [{ number: 11, kind: 'cull', reason: 'Never caught up, and got in the way of the others.', daysAgo: 18 }],
    notes: [
      { number: null, daysAgo: 20, text: 'Flipped to twelve hours. Clones of all of them are rooting in the closet.' },
      { number: 5, daysAgo: 6, text: 'The mother, only more so.' },
    ],
    tasks: [
      { title: 'Feed, EC 1.8', dueInDays: 0, everyDays: 2, number: null },
      { title: 'Thin the leaves below the net', dueInDays: -1, everyDays: null, number: null },
      { title: 'Smell all of them again', dueInDays: 3, everyDays: 7, number: null },
      { title: 'Look for male flowers', dueInDays: 1, everyDays: null, number: 4 },
    ],
    comments: [],
  },
]
