import { newId } from '#server/kernel/ids.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { type DemoActivity, daysBefore, type LoadContext, requireKey } from './loading.ts'

export async function addReviews(loading: LoadContext): Promise<DemoActivity[]> {
  const { tx, now, people, businesses } = loading
  const owners = new Map(demoBusinesses.map(({ key, owner }) => [key, requireKey(people, owner)]))
  const all = demoReviews.map((review) => ({ ...review, id: newId(), owner: requireKey(owners, review.business) }))
  await tx
    .insertInto('reviews')
    .values(
      all.map(({ id, person, business, owner, rating, review, daysAgo, isFreebie, helped, reply }) => ({
        id,
        business_id: requireKey(businesses, business),
        user_id: requireKey(people, person),
        rating,
        review,
        is_freebie: isFreebie ?? false,
        helpful_count: helped?.length ?? 0,
        reply: reply?.content ?? null,
        replied_by: reply ? owner : null,
        replied_at: reply ? daysBefore(now, reply.daysAgo) : null,
        created_at: daysBefore(now, daysAgo),
      })),
    )
    .execute()
  const votes = all.flatMap((review) =>
    (review.helped ?? []).map((person, i) => ({
      review_id: review.id,
      user_id: requireKey(people, person),
      created_at: helpedAt(now, review, i),
    })),
  )
  await tx.insertInto('review_votes').values(votes).execute()
  return all.flatMap((review) => activitiesOf(loading, review))
}

/** Spreads the helpful votes over the second half of the time since the review, in the order of `helped`. */
const helpedAt = (now: Date, { daysAgo }: DemoReview, order: number) => daysBefore(now, daysAgo / (order * 2 + 2))

function activitiesOf({ now, people, businesses }: LoadContext, review: DemoReview & { id: string; owner: string }): DemoActivity[] {
  const { id, person, business, owner, daysAgo, helped = [], reply } = review
  const about = { businessId: requireKey(businesses, business), reviewId: id }
  const writer = requireKey(people, person)
  const activities: DemoActivity[] = [
    {
      ...about,
      recipientIds: [owner],
      type: 'review',
      groupKey: `review:${about.businessId}`,
      actorId: writer,
      at: daysBefore(now, daysAgo),
    },
    ...helped.map(
      (helper, i): DemoActivity => ({
        ...about,
        recipientIds: [writer],
        type: 'helpful',
        groupKey: `helpful:${id}`,
        actorId: requireKey(people, helper),
        at: helpedAt(now, review, i),
      }),
    ),
  ]
  if (reply) {
    const at = daysBefore(now, reply.daysAgo)
    activities.push({
      ...about,
      recipientIds: [writer],
      type: 'review_reply',
      groupKey: `review_reply:${id}:${at.getTime()}`,
      actorId: null,
      at,
    })
  }
  return activities
}

type DemoReview = {
  person: string
  business: string
  rating: 1 | 2 | 3 | 4 | 5
  review: string | null
  daysAgo: number
  /** The author disclosed that they got something for free. */
  isFreebie?: true
  helped?: string[]
  reply?: { content: string; daysAgo: number }
}

/** At most one review per person and business, and none by the owner. */
export const demoReviews: DemoReview[] = [
  {
    person: 'wren',
    business: 'lanternfold',
    rating: 5,
    review: 'They knew which row the jar came from. I’ve never bought so little and learned so much.',
    daysAgo: 40,
    helped: ['sunniva', 'lorne', 'hollis', 'desmond', 'tobin'],
    reply: { content: 'Row nine, if you’re still wondering. Come by when the next lot is in; the card has more to say.', daysAgo: 38 },
  },
  {
    person: 'desmond',
    business: 'lanternfold',
    rating: 4,
    review: 'Good people, good jars. The line on Saturday is what it is.',
    daysAgo: 33,
    helped: ['sunniva', 'wren'],
    reply: { content: 'It is. Starting this month, we open a second register on Saturdays. Tell us if it helps.', daysAgo: 2.2 },
  },
  { person: 'lorne', business: 'lanternfold', rating: 5, review: null, daysAgo: 12 },
  {
    person: 'hollis',
    business: 'lanternfold',
    rating: 4,
    review: 'Visited from Oregon. Labels you can read, prices you can see from the door.',
    daysAgo: 25,
    helped: ['wren'],
  },
  {
    person: 'sunniva',
    business: 'lanternfold',
    rating: 5,
    review: 'I came in with a list of questions and no one looked at the clock. Left with one jar and a page of notes.',
    daysAgo: 1.1,
    helped: ['wren'],
  },
  { person: 'tobin', business: 'lanternfold', rating: 5, review: 'The long counter is a good idea. You can see the work.', daysAgo: 26 },
  {
    person: 'wren',
    business: 'quietwater',
    rating: 4,
    review: 'The short menu is the point. If what you want isn’t on it, they’ll tell you who has it.',
    daysAgo: 28,
    helped: ['marisol', 'sunniva', 'desmond'],
    reply: { content: 'Thank you. We’d rather send you down the road than sell you second best.', daysAgo: 27 },
  },
  { person: 'desmond', business: 'quietwater', rating: 5, review: 'A Thursday ritual by now.', daysAgo: 9 },
  {
    person: 'lorne',
    business: 'quietwater',
    rating: 3,
    review: 'Lovely shop, hard to park.',
    daysAgo: 17,
    helped: ['marisol'],
    reply: { content: 'The lot behind the bakery is ours after five. The sign is small; we’ve ordered a larger one.', daysAgo: 16 },
  },
  {
    person: 'sunniva',
    business: 'quietwater',
    rating: 4,
    review: 'Four jars, four cards, no hurry. I wish you could take the cards home.',
    daysAgo: 19,
    helped: ['wren', 'desmond'],
  },
  {
    person: 'marisol',
    business: 'quietwater',
    rating: 5,
    review: 'Worth the detour on the way north. They keep the lids closed.',
    daysAgo: 2.4,
  },
  { person: 'lorne', business: 'hourglass', rating: 4, review: 'On time twice, ten minutes late once and they called ahead.', daysAgo: 22 },
  { person: 'wren', business: 'hourglass', rating: 4, review: null, daysAgo: 15 },
  {
    person: 'sunniva',
    business: 'hourglass',
    rating: 5,
    review: 'He checked my ID, then showed me his. That made my evening.',
    daysAgo: 4.5,
    helped: ['lorne', 'wren'],
  },
  {
    person: 'hollis',
    business: 'slowfurrow',
    rating: 5,
    review: 'I’ve read their notes on tilling three times and stopped tilling my tomatoes.',
    daysAgo: 30,
    helped: ['theo', 'wren', 'sunniva', 'desmond'],
    reply: { content: 'Then we’ll come and see your worms next August.', daysAgo: 29 },
  },
  { person: 'wren', business: 'slowfurrow', rating: 5, review: null, daysAgo: 44 },
  {
    person: 'theo',
    business: 'slowfurrow',
    rating: 5,
    review: 'Open about every bed that failed. I learned more from bed twelve than from the eleven before it.',
    daysAgo: 50,
    helped: ['hollis', 'ines'],
  },
  {
    person: 'desmond',
    business: 'slowfurrow',
    rating: 4,
    review: 'Traveling in Oregon, I found their jars in two shops, the same in both. That’s rare.',
    daysAgo: 23,
  },
  { person: 'sunniva', business: 'slowfurrow', rating: 4, review: 'I subscribe just for the field notes.', daysAgo: 12 },
  {
    person: 'hollis',
    business: 'gantry',
    rating: 4,
    review: 'Go before noon. They have time for questions then, and I have many.',
    daysAgo: 51,
    helped: ['yuki', 'theo'],
    reply: { content: 'Please keep bringing them. Two of your questions are on the wall now, with answers.', daysAgo: 49 },
  },
  { person: 'yuki', business: 'gantry', rating: 4, review: 'Beautiful room. The shortbread sells out early.', daysAgo: 37 },
  {
    person: 'priya',
    business: 'gantry',
    rating: 3,
    review: 'Fair prices on small buds, less so on the rest.',
    daysAgo: 29,
    helped: ['amadou'],
  },
  { person: 'theo', business: 'gantry', rating: 5, review: 'A shop that dusts its type drawers also dates its jars.', daysAgo: 43 },
  {
    person: 'amadou',
    business: 'gantry',
    rating: 4,
    review: 'The ginger shortbread has a proper snap. Professional respect.',
    daysAgo: 20,
  },
  { person: 'hollis', business: 'hollowreed', rating: 4, review: 'Honest about what failed. More of that, please.', daysAgo: 13 },
  {
    person: 'theo',
    business: 'hollowreed',
    rating: 5,
    review: 'The mildew chart on the greenhouse door is the best thing I read this fall.',
    daysAgo: 10,
    helped: ['hollis', 'odile'],
  },
  {
    person: 'yuki',
    business: 'achterberg',
    rating: 5,
    review: 'He mended a joint that two others had called hopeless, and explained the crack while he did it.',
    daysAgo: 48,
    helped: ['lorne', 'amadou', 'marisol'],
    reply: { content: 'It was a good crack. Straight ones are dull.', daysAgo: 47 },
  },
  { person: 'lorne', business: 'achterberg', rating: 5, review: 'Ordered the straight tube. It’s exactly that.', daysAgo: 34 },
  { person: 'desmond', business: 'achterberg', rating: 4, review: null, daysAgo: 26 },
  { person: 'amadou', business: 'achterberg', rating: 5, review: 'Signed underneath, flat on the table, easy to clean.', daysAgo: 21 },
  {
    person: 'marisol',
    business: 'achterberg',
    rating: 4,
    review: 'Came by mail in more paper than I thought existed. Not a scratch.',
    daysAgo: 8,
  },
  { person: 'yuki', business: 'thirdkettle', rating: 4, review: 'The grinder will outlive me.', daysAgo: 31 },
  {
    person: 'amadou',
    business: 'thirdkettle',
    rating: 4,
    review: 'They gave me a walnut tray to try at their open evening. I would have bought it: the corners are kind to flour, too.',
    daysAgo: 24,
    isFreebie: true,
    helped: ['yuki'],
    reply: { content: 'Thank you for saying so. It’s yours to keep, however many stars you give us.', daysAgo: 23 },
  },
  { person: 'yuki', business: 'osier', rating: 4, review: 'The harvest date really is larger than the price.', daysAgo: 11 },
  { person: 'priya', business: 'osier', rating: 3, review: 'Calm and clean. A little pricey.', daysAgo: 18 },
  { person: 'amadou', business: 'osier', rating: 4, review: 'The quiet hour is real. I could hear the jars.', daysAgo: 13 },
  {
    person: 'priya',
    business: 'saltandmeadow',
    rating: 5,
    review: 'Every piece the same, every time. That’s harder than it sounds.',
    daysAgo: 42,
    helped: ['amadou', 'wren', 'marisol'],
    reply: { content: 'It’s mostly weighing. Thank you for noticing.', daysAgo: 41 },
  },
  { person: 'wren', business: 'saltandmeadow', rating: 4, review: 'Crackers instead of sweets: finally.', daysAgo: 16, helped: ['yuki'] },
  {
    person: 'amadou',
    business: 'saltandmeadow',
    rating: 5,
    review: 'As a pastry cook: the caramel is properly salted, and the label is properly large.',
    daysAgo: 15,
  },
  { person: 'marisol', business: 'saltandmeadow', rating: 4, review: 'Plain wrappers, clear doses. I miss the tea.', daysAgo: 9 },
  { person: 'yuki', business: 'saltandmeadow', rating: 4, review: null, daysAgo: 7 },
  { person: 'priya', business: 'fennelrow', rating: 5, review: null, daysAgo: 20 },
  { person: 'hollis', business: 'fennelrow', rating: 4, review: 'Careful growers who keep careful notes.', daysAgo: 14 },
  {
    person: 'hollis',
    business: 'measuredlight',
    rating: 5,
    review: 'I called with a question about a number on a label and got a patient answer.',
    daysAgo: 8,
    helped: ['marisol', 'priya'],
  },
  { person: 'marisol', business: 'measuredlight', rating: 5, review: 'They showed me the machine and then the error bars.', daysAgo: 30 },
]
