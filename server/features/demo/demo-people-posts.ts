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
    content: 'Rode out for Thursday’s menu on a Wednesday. The menu was still last week’s, but the conversation was worth the hill.',
    tags: ['visit'],
    place: 'Boulder, CO',
    daysAgo: 16.5,
  },
  {
    person: 'hollis',
    type: 'educational',
    title: 'Your hygrometer lies. Here’s by how much',
    content:
      'Put it in a closed bag for a day with a bottle cap of table salt and a few drops of water, just enough to make the salt damp. The air inside will be at 75 percent, whatever the dial says. Mine said 81. I wrote “minus six” on the back, and now I trust it again.',
    tags: ['curing', 'notes'],
    place: 'Portland, OR',
    daysAgo: 0.9,
  },
  {
    person: 'hollis',
    type: 'update',
    title: 'One year without the spade',
    content:
      'I left half the bed alone and turned the other half as always. The lazy half needed less water and grew the better beans. The four plants behind the fence didn’t notice either way.',
    tags: ['soil', 'homegrow'],
    daysAgo: 11.6,
  },
  {
    person: 'sunniva',
    type: 'educational',
    title: 'Before I bought soil, I read the rules',
    content:
      'In Colorado an adult may grow six plants at home, three of them in flower, in an enclosed and locked space. Cities may have stricter rules, and landlords may say no; mine said yes in writing. If you live elsewhere, look it up first. It took me an evening.',
    tags: ['homegrow', 'law'],
    place: 'Denver, CO',
    daysAgo: 2.1,
  },
  {
    person: 'sunniva',
    type: 'update',
    title: 'Two of four came up',
    content: 'The other two are either late or soup. The notebook says to wait until Sunday, so I’m waiting until Sunday.',
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
      'The shelf label gives a price, a weight and a percentage. Divide only the first two. A higher percentage says something about a sample in a laboratory and little about whether you’ll like the jar.',
    tags: ['labels'],
    daysAgo: 5.9,
  },
  {
    person: 'theo',
    type: 'update',
    title: 'An afternoon in someone else’s greenhouse',
    content:
      'Hollow Reed let us walk the middle aisle and read the chart on the door. Nine names out of sixty-two seedlings, and the reasons for the other fifty-three. I would pay admission for that.',
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
    title: 'What’s in my coat in November',
    content:
      'A loupe, a pencil, three labels, a knife that is only for string, and the list of who promised to help with the beds. The list is what keeps me warm.',
    tags: ['farm', 'notes'],
    place: 'Hood River, OR',
    daysAgo: 2.8,
  },
  {
    person: 'marlow',
    type: 'educational',
    title: 'Questions I like to be asked at the counter',
    content:
      'Who grew it? When was it cut? Where has it been since? And what wouldn’t you buy today? The last one is the best. If no one at the counter has an answer, come back when someone does.',
    tags: ['shop', 'labels'],
    daysAgo: 4.2,
  },
  {
    person: 'tobin',
    type: 'educational',
    title: 'Why I sign the bottom',
    content: 'It’s not so you’ll remember me. When it comes back in ten years, I’ll know which glass it was and how hot I ran the kiln.',
    tags: ['glass'],
    place: 'Ann Arbor, MI',
    daysAgo: 6.8,
  },
  {
    person: 'ines',
    type: 'update',
    title: 'Happy birthday to the scale',
    content:
      'Once a year a man comes with a case of weights and tells us how wrong we are. This year: four thousandths of a gram. We had cake. We weighed it first.',
    tags: ['kitchen'],
    place: 'Northampton, MA',
    daysAgo: 5.3,
  },
]

/** `by` is a person, or a business whose owner writes for it. */
type DemoWords = { by: string; content: string; daysAgo: number }
type DemoComment = DemoWords & { replies?: DemoWords[] }

/** Title of a post → its comments, oldest first. Only subscribers comment on exclusive posts. */
export const demoComments: Record<string, DemoComment[]> = {
  'Growers’ evening on Friday': [
    {
      by: 'sunniva',
      content: 'Can I bring a notebook? I have a list.',
      daysAgo: 0.25,
      replies: [{ by: 'lanternfold', content: 'Please do. The first chair is yours.', daysAgo: 0.2 }],
    },
    { by: 'wren', content: 'I’ll come by bike, and on the right day this time.', daysAgo: 0.1 },
  ],
  'The new shelf is up': [
    { by: 'hollis', content: 'My knees thank you.', daysAgo: 2.8 },
    {
      by: 'wren',
      content: 'Are the old cards kept somewhere? I never finished the one from the lower terrace.',
      daysAgo: 2.4,
      replies: [
        { by: 'lanternfold', content: 'In the drawer under the register, by year. Ask for it.', daysAgo: 2.3 },
        { by: 'desmond', content: 'There’s a drawer?', daysAgo: 1.6 },
      ],
    },
  ],
  'How we read a certificate of analysis': [
    {
      by: 'priya',
      content: 'What do you do when the batch number on the jar doesn’t match the sheet?',
      daysAgo: 20,
      replies: [
        { by: 'lanternfold', content: 'We send the lot back. It’s happened twice, and one of those was an honest mistake.', daysAgo: 19.6 },
        { by: 'measuredlight', content: 'And call the laboratory, please. We would like to know.', daysAgo: 19.1 },
      ],
    },
    { by: 'marisol', content: 'How the sample was taken: the question no one expects.', daysAgo: 18 },
  ],
  'What we buy in November, and why': [
    {
      by: 'wren',
      content: 'Which of the two that dried too fast did you like before you looked at the report?',
      daysAgo: 13.2,
      replies: [{ by: 'lanternfold', content: 'Both, which is why we look at the report.', daysAgo: 13 }],
    },
    { by: 'lorne', content: 'Thank you for writing down what you turned down. No one does.', daysAgo: 12.1 },
  ],
  'Why our lids stay closed': [
    {
      by: 'wren',
      content: 'So that’s what the small jars are for. I thought they were for people like me.',
      daysAgo: 0.6,
      replies: [{ by: 'quietwater', content: 'They are for people like you.', daysAgo: 0.4 }],
    },
    { by: 'yuki', content: 'I can make you a smelling jar with a proper lid.', daysAgo: 0.3 },
  ],
  'Subscriber price on the North Slope lot': [{ by: 'desmond', content: 'Mentioned it at the counter. It worked.', daysAgo: 10.4 }],
  'The drying room, day nine': [
    {
      by: 'hollis',
      content: 'Do you weigh a branch every day, or just go by the stems?',
      daysAgo: 0.45,
      replies: [
        {
          by: 'slowfurrow',
          content: 'One branch from each bed, every morning, on the kitchen scale. Then the stems decide anyway.',
          daysAgo: 0.4,
        },
        { by: 'theo', content: 'I like that the kitchen scale has a vote.', daysAgo: 0.2 },
      ],
    },
    { by: 'marisol', content: 'Sixty percent. I would have to flood the house.', daysAgo: 0.35 },
  ],
  'Bed 31 is in': [
    {
      by: 'theo',
      content: 'Eleven days for forty-eight beds! With how many hands?',
      daysAgo: 6.7,
      replies: [{ by: 'slowfurrow', content: 'Six, and a neighbor on Saturdays.', daysAgo: 6.5 }],
    },
    { by: 'wren', content: 'A day ahead of the rain is the best kind of day.', daysAgo: 6.1 },
  ],
  'Why we stopped tilling': [
    {
      by: 'hollis',
      content: 'This post cost me a spade.',
      daysAgo: 33,
      replies: [{ by: 'wren', content: 'Lend it to me. I need it for the snow.', daysAgo: 32 }],
    },
  ],
  'Next year’s crosses, in full': [
    {
      by: 'hollis',
      content: 'I worry about the same two. The late one won’t like your October.',
      daysAgo: 17,
      replies: [{ by: 'slowfurrow', content: 'Neither do we. It gets the south bed.', daysAgo: 16.5 }],
    },
  ],
  'What the harvest date tells you, and what it can’t': [
    { by: 'priya', content: 'I’ve met that shrug. I went next door.', daysAgo: 1.2 },
    {
      by: 'theo',
      content: 'Could the card say how it was stored, too?',
      daysAgo: 1,
      replies: [{ by: 'gantry', content: 'It will, starting with the next lot. Good idea, thank you.', daysAgo: 0.7 }],
    },
  ],
  'Nine clones, labeled at last': [
    {
      by: 'theo',
      content: 'Long live Tractor.',
      daysAgo: 3.2,
      replies: [{ by: 'hollowreed', content: 'Tractor is doing very well.', daysAgo: 3 }],
    },
  ],
  'A year of mildew notes': [{ by: 'theo', content: 'If you could keep only one of the nine, which?', daysAgo: 15 }],
  'Twelve spoons in smoke gray': [
    {
      by: 'lorne',
      content: 'Is the seventh from the left taken?',
      daysAgo: 1.5,
      replies: [{ by: 'achterberg', content: 'It has your name on it, in pencil.', daysAgo: 1.3 }],
    },
  ],
  'Cleaning without scratching': [{ by: 'amadou', content: 'Same for copper pans. Patience and no wire.', daysAgo: 25 }],
  'The tea comes back in December': [{ by: 'marisol', content: 'Finally! I’d started drinking ordinary tea.', daysAgo: 2.3 }],
  'How a kitchen measures 2.5 milligrams': [
    {
      by: 'amadou',
      content: 'Five pieces from different corners: do you test the corners of the tray, too?',
      daysAgo: 30,
      replies: [{ by: 'saltandmeadow', content: 'Especially those. Corners are where trays lie.', daysAgo: 29.5 }],
    },
  ],
  'The shortlist': [{ by: 'theo', content: 'I’m with the dissenting vote.', daysAgo: 11.2 }],
  'What a terpene number doesn’t tell you': [
    {
      by: 'hollis',
      content: 'The hour, not just the date. I’ll ask for it everywhere now.',
      daysAgo: 19,
      replies: [{ by: 'measuredlight', content: 'Please do. It’s only one more field on a form.', daysAgo: 18.6 }],
    },
  ],
  'Week five in the locked shed': [
    {
      by: 'hollis',
      content: 'Let the shrub be a shrub, but take the lowest leaves. It wants air under its skirt.',
      daysAgo: 1.2,
      replies: [
        { by: 'wren', content: 'Done this morning. It looks surprised.', daysAgo: 1 },
        { by: 'sunniva', content: 'Before and after in words, please!', daysAgo: 0.8 },
      ],
    },
    { by: 'marisol', content: 'The line about not trusting yourself is in my notebook now.', daysAgo: 0.6 },
  ],
  'Five things I write on every jar': [
    {
      by: 'priya',
      content: 'Six: where you bought it.',
      daysAgo: 8,
      replies: [{ by: 'wren', content: 'Sold. Six things.', daysAgo: 7.9 }],
    },
    { by: 'marlow', content: 'We should print that on our labels.', daysAgo: 7.5 },
  ],
  'To Boulder by bike, on the wrong day': [{ by: 'quietwater', content: 'Wednesday is the best day to talk. Come again.', daysAgo: 16 }],
  'Your hygrometer lies. Here’s by how much': [
    {
      by: 'wren',
      content: 'Mine was off by nine. I’ve been drying in a swamp.',
      daysAgo: 0.7,
      replies: [{ by: 'hollis', content: 'Better to know in November than in March.', daysAgo: 0.5 }],
    },
    {
      by: 'measuredlight',
      content: 'Correct, at room temperature. Give it the whole day and keep the sensor out of the salt.',
      daysAgo: 0.3,
    },
  ],
  'Before I bought soil, I read the rules': [
    { by: 'marlow', content: 'I wish everyone did. The city’s website has the lock rule on its second page.', daysAgo: 1.8 },
    {
      by: 'marisol',
      content: 'New Mexico is different: check your own state’s page, not hers or mine.',
      daysAgo: 1.6,
      replies: [{ by: 'sunniva', content: 'Exactly. One evening, once.', daysAgo: 1.5 }],
    },
  ],
  'Two of four came up': [{ by: 'odile', content: 'Late isn’t soup. Wait until Tuesday.', daysAgo: 6.1 }],
  'A lid that fits': [{ by: 'tobin', content: 'That sound is what you work for.', daysAgo: 3.5 }],
  'What’s in my coat in November': [
    {
      by: 'hollis',
      content: 'Put me on the list for the next bed.',
      daysAgo: 2.6,
      replies: [{ by: 'odile', content: 'You’ve been on it since Tuesday.', daysAgo: 2.5 }],
    },
  ],
  'Questions I like to be asked at the counter': [
    { by: 'desmond', content: 'I always forget the third.', daysAgo: 3.9 },
    { by: 'sunniva', content: 'I asked the last one. The answer was long and honest.', daysAgo: 1 },
  ],
  'What desert air does to a cure': [{ by: 'hollis', content: 'Nine days in the desert is craftsmanship.', daysAgo: 1.7 }],
}
