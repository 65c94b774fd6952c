import type { PostType } from '#contracts/posts.ts'

export type DemoPost = {
  business: string
  type: PostType
  /** Comments and likes refer to posts by title. */
  title: string
  content: string
  isExclusive?: true
  tags?: string[]
  place?: string
  daysAgo: number
}

export const demoPosts: DemoPost[] = [
  {
    business: 'lanternfold',
    type: 'update',
    title: 'The new shelf is up',
    content: 'We moved the growers’ cards to eye level. If you’ve been reading them on your knees until now: thank you, and sorry.',
    tags: ['shop'],
    place: 'Denver, CO',
    daysAgo: 3,
  },
  {
    business: 'lanternfold',
    type: 'product',
    title: 'Terrace No. 7 is back',
    content:
      'The second half of the late harvest came in this morning. It cured three weeks longer than the first, and you can smell the difference: less plum, more cedar.',
    tags: ['flower', 'harvest'],
    daysAgo: 9,
  },
  {
    business: 'lanternfold',
    type: 'educational',
    title: 'How we read a certificate of analysis',
    content:
      'Start with the date. Then the batch number, which must be the one on the jar. The total is only as good as the sample behind it, so we ask how it was taken before we ask how high it is.',
    tags: ['labels', 'testing'],
    daysAgo: 21,
  },
  {
    business: 'lanternfold',
    type: 'update',
    title: 'What we buy in November, and why',
    content:
      'For subscribers: our list for the coming month, with the three lots we turned down and the reason for each. Two were dried too fast; one was lovely and far too expensive.',
    isExclusive: true,
    daysAgo: 14,
  },
  {
    business: 'quietwater',
    type: 'update',
    title: 'Thursday’s menu',
    content: 'Four jars, two of them from people who have never sold to a shop before. Their cards are on the counter.',
    tags: ['menu'],
    place: 'Boulder, CO',
    daysAgo: 2,
  },
  {
    business: 'quietwater',
    type: 'promotion',
    title: 'Creek Bend by the gram, all week',
    content: 'We’re weighing single grams of Creek Bend until Sunday, for anyone who’d rather try it before committing to an eighth.',
    tags: ['flower', 'menu'],
    daysAgo: 6,
  },
  {
    business: 'quietwater',
    type: 'promotion',
    title: 'Subscriber price on the North Slope lot',
    content: 'Subscribers pay $31 for an eighth of North Slope while this lot lasts. Just mention it at the counter; no card needed.',
    isExclusive: true,
    daysAgo: 11,
  },
  {
    business: 'hourglass',
    type: 'update',
    title: 'Later on Fridays',
    content: 'We now deliver until eleven on Fridays and Saturdays. Have your ID ready; the last order is at ten.',
    tags: ['delivery'],
    place: 'Aurora, CO',
    daysAgo: 5,
  },
  {
    business: 'slowfurrow',
    type: 'update',
    title: 'Bed 31 is in',
    content: 'The last bed came down on Sunday, a day ahead of the rain. Forty-eight beds, eleven days, two sore backs.',
    tags: ['harvest', 'sungrown'],
    place: 'Hood River, OR',
    daysAgo: 7,
  },
  {
    business: 'slowfurrow',
    type: 'educational',
    title: 'Why we stopped tilling',
    content:
      'Three years ago we left half the field alone to compare. The untilled half needed a third less water in August and had more worms in a spade of soil than we cared to count.',
    tags: ['soil'],
    place: 'Hood River, OR',
    daysAgo: 34,
  },
  {
    business: 'slowfurrow',
    type: 'update',
    title: 'Next year’s crosses, in full',
    content: 'For subscribers: the parents of all nine crosses, what we hope for from each and what worries us.',
    isExclusive: true,
    tags: ['genetics'],
    daysAgo: 18,
  },
  {
    business: 'gantry',
    type: 'update',
    title: 'The type drawers have labels again',
    content: 'A regular brought back the brass label holders that the printers took with them in 1974. They fit.',
    tags: ['shop'],
    place: 'Portland, OR',
    daysAgo: 4,
  },
  {
    business: 'gantry',
    type: 'product',
    title: 'Second Edition, second run',
    content: 'Same clone, same room, two degrees cooler in the last week. Tell us if you can taste it; we argued about it all afternoon.',
    tags: ['flower'],
    daysAgo: 12,
  },
  {
    business: 'hollowreed',
    type: 'educational',
    title: 'A year of mildew notes',
    content:
      'Of sixty-two seedlings, nine stayed clean through September without a single spray. We kept clones of all nine and seeds from four. The chart is on the greenhouse door for anyone who visits.',
    tags: ['genetics', 'greenhouse'],
    place: 'Bellingham, WA',
    daysAgo: 16,
  },
  {
    business: 'achterberg',
    type: 'update',
    title: 'The kiln is fixed',
    content: 'A relay, in the end. Repairs that were waiting go out this week.',
    daysAgo: 8,
  },
  {
    business: 'achterberg',
    type: 'educational',
    title: 'Cleaning without scratching',
    content: 'Warm water first, salt never dry, patience always. Most scratches we see come from a wire that was meant to help.',
    tags: ['glass', 'care'],
    daysAgo: 27,
  },
  {
    business: 'thirdkettle',
    type: 'update',
    title: 'Closed on Monday for inventory',
    content: 'We count papers so you never have to. We’re open again on Tuesday at noon.',
    daysAgo: 10,
  },
  {
    business: 'osier',
    type: 'update',
    title: 'A quieter hour',
    content: 'From ten to eleven on weekdays the music stays off, and there’s always someone at the second counter who has time.',
    tags: ['shop'],
    place: 'Evanston, IL',
    daysAgo: 13,
  },
  {
    business: 'saltandmeadow',
    type: 'update',
    title: 'New batch numbers',
    content: 'Every wrapper now carries the batch in letters twice as large. Read it, type it in on our page, see the report.',
    tags: ['labels', 'kitchen'],
    daysAgo: 6,
  },
  {
    business: 'saltandmeadow',
    type: 'product',
    title: 'Rosemary crackers are in shops',
    content: 'Thin, savory and 2.5 mg apiece, for people who find sweets too sweet.',
    daysAgo: 19,
  },
  {
    business: 'saltandmeadow',
    type: 'educational',
    title: 'How a kitchen measures 2.5 milligrams',
    content:
      'We weigh the whole batch, homogenize it twice and have five pieces from different corners tested. If one of them is off by more than a tenth, the batch doesn’t leave.',
    tags: ['kitchen', 'testing'],
    place: 'Northampton, MA',
    daysAgo: 31,
  },
  {
    business: 'fennelrow',
    type: 'update',
    title: 'First frost, everything under cover',
    content: 'We were two hours ahead of it. The loft is full and smells like a library of lemons.',
    tags: ['harvest'],
    place: 'Brattleboro, VT',
    daysAgo: 15,
  },
  {
    business: 'fennelrow',
    type: 'update',
    title: 'The shortlist',
    content: 'For subscribers: the four plants still in the running, with our scores and the one we disagree on.',
    isExclusive: true,
    tags: ['genetics'],
    daysAgo: 12,
  },
  {
    business: 'measuredlight',
    type: 'educational',
    title: 'What a terpene number doesn’t tell you',
    content:
      'It tells you what was in the sample that day. Air, light and an open lid do the rest. That’s why our reports show the hour and not just the date.',
    tags: ['testing'],
    place: 'Santa Fe, NM',
    daysAgo: 20,
  },
  {
    business: 'lanternfold',
    type: 'update',
    title: 'Growers’ evening on Friday',
    content:
      'Odile from Slow Furrow is in town. She’ll be at the long counter from six to eight, answering what the cards don’t. Adults with ID, as always; nothing is opened in the shop, and the tea is only tea.',
    tags: ['shop', 'visit'],
    place: 'Denver, CO',
    daysAgo: 0.3,
  },
  {
    business: 'quietwater',
    type: 'educational',
    title: 'Why our lids stay closed',
    content:
      'Every time a jar is opened, a little of what you came for leaves. We keep one small jar of each lot for smelling and change it every third day. Yours hasn’t been opened since it was weighed.',
    tags: ['storage'],
    daysAgo: 0.8,
  },
  {
    business: 'slowfurrow',
    type: 'update',
    title: 'The drying room, day nine',
    content:
      'Sixty degrees, sixty percent, no fan on the flowers. The smallest stems bend and the larger ones have begun to think about it. We won’t hurry them: the lot goes into jars when the stems snap, not when the calendar says so.',
    tags: ['harvest', 'curing'],
    place: 'Hood River, OR',
    daysAgo: 0.5,
  },
  {
    business: 'gantry',
    type: 'educational',
    title: 'What the harvest date tells you, and what it can’t',
    content:
      'A date tells you how long a jar has had to lose something. It doesn’t tell you how it was stored. Ask both questions; if one of the answers is a shrug, ask for another jar.',
    tags: ['labels', 'storage'],
    daysAgo: 1.4,
  },
  {
    business: 'achterberg',
    type: 'update',
    title: 'Twelve spoons in smoke gray',
    content: 'Out of the kiln this morning, all of one batch of color and no two alike. They sit flat, as promised.',
    tags: ['glass'],
    place: 'Ann Arbor, MI',
    daysAgo: 1.7,
  },
  {
    business: 'saltandmeadow',
    type: 'update',
    title: 'The tea comes back in December',
    content:
      'The dryer has a new belt and a clean report. The first eighty boxes of chamomile and hemp leaf go to the shops that asked first.',
    tags: ['kitchen'],
    daysAgo: 2.5,
  },
  {
    business: 'measuredlight',
    type: 'update',
    title: 'Thursday is visitors’ day',
    content:
      'From two to four we open the window between the office and the bench. Bring a report, ours or anyone’s, and we’ll read it with you.',
    tags: ['testing', 'visit'],
    place: 'Santa Fe, NM',
    daysAgo: 1.1,
  },
  {
    business: 'hollowreed',
    type: 'update',
    title: 'Nine clones, labeled at last',
    content: 'The nine clean ones have names now instead of numbers. The children chose them, so one is called Tractor.',
    tags: ['genetics', 'greenhouse'],
    daysAgo: 3.4,
  },
]
