export type DemoReview = { person: string; business: string; rating: 1 | 2 | 3 | 4 | 5; review: string | null; daysAgo: number }

/** At most one of a person for a business, and none by its owner. */
export const demoReviews: DemoReview[] = [
  {
    person: 'wren',
    business: 'lanternfold',
    rating: 5,
    review: 'They knew which row the jar came from. I have never left with so little bought and so much learned.',
    daysAgo: 40,
  },
  {
    person: 'desmond',
    business: 'lanternfold',
    rating: 4,
    review: 'Good people, good jars. The line on Saturday is what it is.',
    daysAgo: 33,
  },
  { person: 'lorne', business: 'lanternfold', rating: 5, review: null, daysAgo: 12 },
  {
    person: 'hollis',
    business: 'lanternfold',
    rating: 4,
    review: 'Visited from Oregon. Labels you can read, prices you can see from the door.',
    daysAgo: 25,
  },
  {
    person: 'wren',
    business: 'quietwater',
    rating: 4,
    review: 'The short menu is the point. If what you want is not on it, they tell you who has it.',
    daysAgo: 28,
  },
  { person: 'desmond', business: 'quietwater', rating: 5, review: 'Thursday ritual by now.', daysAgo: 9 },
  { person: 'lorne', business: 'quietwater', rating: 3, review: 'Lovely shop, hard to park.', daysAgo: 17 },
  { person: 'lorne', business: 'hourglass', rating: 4, review: 'On time twice, ten minutes late once and they called ahead.', daysAgo: 22 },
  { person: 'wren', business: 'hourglass', rating: 4, review: null, daysAgo: 15 },
  {
    person: 'hollis',
    business: 'slowfurrow',
    rating: 5,
    review: 'I have read their notes on tilling three times and stopped tilling my tomatoes.',
    daysAgo: 30,
  },
  { person: 'wren', business: 'slowfurrow', rating: 5, review: null, daysAgo: 44 },
  {
    person: 'hollis',
    business: 'gantry',
    rating: 4,
    review: 'Go before noon. They have time for questions then, and I have many.',
    daysAgo: 51,
  },
  { person: 'yuki', business: 'gantry', rating: 4, review: 'Beautiful room. The shortbread sells out early.', daysAgo: 37 },
  { person: 'priya', business: 'gantry', rating: 3, review: 'Fair prices on small buds, less so on the rest.', daysAgo: 29 },
  { person: 'hollis', business: 'hollowreed', rating: 4, review: 'Honest about what failed. More of that, please.', daysAgo: 13 },
  {
    person: 'yuki',
    business: 'achterberg',
    rating: 5,
    review: 'He mended a joint that two others had called hopeless, and explained the crack while he did it.',
    daysAgo: 48,
  },
  { person: 'lorne', business: 'achterberg', rating: 5, review: 'Ordered the straight tube. It is exactly that.', daysAgo: 34 },
  { person: 'desmond', business: 'achterberg', rating: 4, review: null, daysAgo: 26 },
  { person: 'yuki', business: 'thirdkettle', rating: 4, review: 'The grinder will outlive me.', daysAgo: 31 },
  { person: 'yuki', business: 'osier', rating: 4, review: 'The harvest date really is larger than the price.', daysAgo: 11 },
  { person: 'priya', business: 'osier', rating: 3, review: 'Calm and clean. A little dear.', daysAgo: 18 },
  {
    person: 'priya',
    business: 'saltandmeadow',
    rating: 5,
    review: 'Every piece the same, every time. That is harder than it sounds.',
    daysAgo: 42,
  },
  { person: 'wren', business: 'saltandmeadow', rating: 4, review: 'Crackers instead of sweets: finally.', daysAgo: 16 },
  { person: 'priya', business: 'fennelrow', rating: 5, review: null, daysAgo: 20 },
  { person: 'hollis', business: 'fennelrow', rating: 4, review: 'Careful growers who keep careful notes.', daysAgo: 14 },
  {
    person: 'hollis',
    business: 'measuredlight',
    rating: 5,
    review: 'I called with a question about a number on a label and got a patient answer.',
    daysAgo: 8,
  },
]

/** Who subscribes to which businesses. */
export const demoSubscriptions: Record<string, string[]> = {
  wren: ['lanternfold', 'quietwater', 'slowfurrow'],
  hollis: ['slowfurrow', 'hollowreed', 'gantry'],
  yuki: ['achterberg', 'thirdkettle', 'osier'],
  desmond: ['lanternfold', 'quietwater'],
  priya: ['saltandmeadow', 'fennelrow'],
  lorne: ['lanternfold', 'achterberg', 'hourglass'],
  odile: ['fennelrow', 'hollowreed'],
}

export const demoFavorites: Record<string, string[]> = {
  wren: ['lanternfold', 'quietwater', 'saltandmeadow'],
  hollis: ['gantry', 'slowfurrow'],
  yuki: ['achterberg'],
  desmond: ['lanternfold'],
  priya: ['saltandmeadow', 'osier'],
  lorne: ['achterberg', 'hourglass'],
  marlow: ['slowfurrow'],
}
