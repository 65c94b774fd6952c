import type { PostType } from '#contracts/posts.ts'

/** Posts that people wrote under their own names. They neither advertise nor sell anything. */
type DemoPeoplePost = {
  person: string
  type: Extract<PostType, 'update' | 'educational'>
  title: string
  content: string
  tags?: string[]
  place?: string
  daysAgo: number
}

export const demoPeoplePosts: DemoPeoplePost[] = [
  {
    person: 'wren',
    type: 'update',
    title: 'Week five in the locked shed',
    content:
      'Two of the three look like sisters. The third has decided to be a shrub and I’ve decided to let it. Lights on at seven, off at seven, door locked both times; I write it down because I don’t trust myself.',
    tags: ['homegrow', 'notes'],
    place: 'Denver, CO',
    daysAgo: 1.3,
  },
  {
    person: 'wren',
    type: 'educational',
    title: 'Five things I write on every jar',
    content:
      'What it is, when it was cut, when it went into the jar, what it weighed then, and when I last opened it. The fifth is the one that taught me something.',
    tags: ['storage', 'notes'],
    daysAgo: 8.2,
  },
  {
    person: 'wren',
    type: 'update',
    title: 'To Boulder by bike, on the wrong day',
    content: 'Rode out for Thursday’s menu on a Wednesday. The menu was the old one and the conversation was worth the hill.',
    tags: ['visit'],
    place: 'Boulder, CO',
    daysAgo: 16.5,
  },
  {
    person: 'hollis',
    type: 'educational',
    title: 'Your hygrometer lies. Here is by how much',
    content:
      'A bottle cap of table salt, a few drops of water so that it’s damp but not wet, both in a closed bag for a day. Inside, the air is at 75 percent, whatever the dial says. Mine said 81. I wrote “minus six” on the back and trust it again.',
    tags: ['curing', 'notes'],
    place: 'Portland, OR',
    daysAgo: 0.9,
  },
  {
    person: 'hollis',
    type: 'update',
    title: 'One year without the spade',
    content:
      'Half the bed was left alone, half was turned as always. The lazy half needed less water and won the beans. The four plants behind the fence didn’t notice either way.',
    tags: ['soil', 'homegrow'],
    daysAgo: 11.6,
  },
  {
    person: 'sunniva',
    type: 'educational',
    title: 'Before I bought soil, I read the rules',
    content:
      'In Colorado an adult may grow six plants at home, three of them in flower, in an enclosed and locked space. Cities may ask for more, and landlords may say no; mine said yes in writing. If you live elsewhere, look it up first: it took me an evening.',
    tags: ['homegrow', 'law'],
    place: 'Denver, CO',
    daysAgo: 2.1,
  },
  {
    person: 'sunniva',
    type: 'update',
    title: 'Two of four came up',
    content: 'The other two are either late or soup. The notebook says to wait until Sunday, so I am waiting until Sunday.',
    tags: ['homegrow', 'seedlings'],
    daysAgo: 6.4,
  },
  {
    person: 'yuki',
    type: 'update',
    title: 'A lid that fits',
    content:
      'Eleven tries, shrinkage worked out on paper and then by failing. The twelfth closes with a sound. Stoneware jar, glass liner, no smell on the shelf.',
    tags: ['ceramics', 'storage'],
    place: 'Ann Arbor, MI',
    daysAgo: 3.7,
  },
  {
    person: 'amadou',
    type: 'educational',
    title: 'The two numbers on a wrapper',
    content:
      'One says how much is in a piece, the other how much is in the pack. I circle the first with a pen before the pack goes into the locked drawer. In a kitchen you write on everything; it’s a good habit at home, too.',
    tags: ['labels', 'edibles'],
    daysAgo: 4.8,
  },
  {
    person: 'priya',
    type: 'educational',
    title: 'Divide before you decide',
    content:
      'The shelf label gives a price, a weight and a percentage. Only the first two belong in a division. A higher percentage says something about a sample in a laboratory and little about whether you will like the jar.',
    tags: ['labels'],
    daysAgo: 5.9,
  },
  {
    person: 'theo',
    type: 'update',
    title: 'An afternoon in someone else’s greenhouse',
    content:
      'Hollow Reed let us walk the middle aisle and read the table on the door. Nine names out of sixty-two seedlings, and the reasons for the other fifty-three. I would pay admission for that.',
    tags: ['visit', 'greenhouse'],
    place: 'Bellingham, WA',
    daysAgo: 7.3,
  },
  {
    person: 'marisol',
    type: 'educational',
    title: 'What desert air does to a cure',
    content:
      'Here a branch dries in four days if you let it, and it shows. I hang whole plants, close the closet and keep a tray of water at the far end. That makes nine days of it. The jars thank me in March.',
    tags: ['curing', 'homegrow'],
    place: 'Santa Fe, NM',
    daysAgo: 1.9,
  },
  {
    person: 'lorne',
    type: 'update',
    title: 'The straight tube, a year on',
    content: 'Cleaned it once a week, dropped it once. It has a story now, and no crack.',
    tags: ['glass'],
    daysAgo: 9.7,
  },
  {
    person: 'odile',
    type: 'update',
    title: 'What is in my coat in November',
    content:
      'A loupe, a pencil, three labels, a knife that is only for string, and the list of who promised to help with the beds. It is the list that keeps me warm.',
    tags: ['farm', 'notes'],
    place: 'Hood River, OR',
    daysAgo: 2.8,
  },
  {
    person: 'marlow',
    type: 'educational',
    title: 'Questions I like to be asked at the counter',
    content:
      'Who grew it? When was it cut? Where has it been since? And: what would you not buy today? The last one is the best. If no one at the counter has an answer, come back when someone does.',
    tags: ['shop', 'labels'],
    daysAgo: 4.2,
  },
  {
    person: 'tobin',
    type: 'educational',
    title: 'Why I sign the bottom',
    content:
      'Not so that you remember me. It’s so that when it comes back in ten years, I know which glass it was and how hot I ran the kiln.',
    tags: ['glass'],
    place: 'Ann Arbor, MI',
    daysAgo: 6.8,
  },
  {
    person: 'ines',
    type: 'update',
    title: 'Happy birthday to the scale',
    content:
      'Once a year a man comes with a case of weights and tells us how wrong we are. This year: four thousandths of a gram. We had cake, weighed.',
    tags: ['kitchen'],
    place: 'Northampton, MA',
    daysAgo: 5.3,
  },
]
