import { newId } from '#server/kernel/ids.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { type DemoActivity, daysBefore, type LoadContext, requireKey } from './loading.ts'

type Followed = { key: string; daysAgo: number; isImplied: boolean }

export function businessesFollowedBy(person: string): Followed[] {
  const own = demoBusinessFollows[person] ?? {}
  const subscribed = Object.entries(demoSubscriptions[person] ?? {}).filter(([key]) => !(key in own))
  return [
    ...Object.entries(own).map(([key, daysAgo]) => ({ key, daysAgo, isImplied: false })),
    ...subscribed.map(([key, daysAgo]) => ({ key, daysAgo, isImplied: true })),
  ]
}

export const countsOf = (person: string): { following_count: number; followers_count: number } => ({
  following_count: businessesFollowedBy(person).length + Object.keys(demoPeopleFollows[person] ?? {}).length,
  followers_count: Object.values(demoPeopleFollows).filter((links) => person in links).length,
})

export async function addFollows(loading: LoadContext): Promise<DemoActivity[]> {
  const { tx, now, people, businesses } = loading
  const idOf = (person: string) => requireKey(people, person)

  const subscriptions = links(demoSubscriptions).map(({ from, to, daysAgo }) => ({
    user_id: idOf(from),
    business_id: requireKey(businesses, to),
    created_at: daysBefore(now, daysAgo),
  }))
  await tx.insertInto('subscriptions').values(subscriptions).execute()

  const follows = [...people].flatMap(([person, user_id]) =>
    businessesFollowedBy(person).map(({ key, daysAgo, isImplied }) => ({
      user_id,
      business_id: requireKey(businesses, key),
      is_implied: isImplied,
      created_at: daysBefore(now, daysAgo),
    })),
  )
  await tx.insertInto('business_follows').values(follows).execute()

  const between = links(demoPeopleFollows).map(({ from, to, daysAgo }) => ({
    follower_id: idOf(from),
    person_id: idOf(to),
    created_at: daysBefore(now, daysAgo),
  }))
  await tx.insertInto('person_follows').values(between).execute()

  const favorites = links(demoFavorites).map(({ from, to, daysAgo }) => ({
    id: newId(),
    user_id: idOf(from),
    business_id: requireKey(businesses, to),
    created_at: daysBefore(now, daysAgo),
  }))
  await tx.insertInto('favorites').values(favorites).execute()

  const owners = new Map(demoBusinesses.map(({ key, owner }) => [requireKey(businesses, key), idOf(owner)]))
  return [
    ...between.map(
      (follow): DemoActivity => ({
        recipientIds: [follow.person_id],
        type: 'follow',
        groupKey: 'follow',
        actorId: follow.follower_id,
        at: follow.created_at,
      }),
    ),
    ...subscriptions.map(
      ({ user_id, business_id, created_at }): DemoActivity => ({
        recipientIds: [requireKey(owners, business_id)],
        type: 'subscriber',
        groupKey: `subscriber:${business_id}`,
        actorId: user_id,
        at: created_at,
        businessId: business_id,
      }),
    ),
  ]
}

const links = (all: DemoLinks) =>
  Object.entries(all).flatMap(([from, to]) => Object.entries(to).map(([key, daysAgo]) => ({ from, to: key, daysAgo })))

/** Person → business or person → days since the follow, subscription or favorite began. */
type DemoLinks = Record<string, Record<string, number>>

export const demoSubscriptions: DemoLinks = {
  wren: { lanternfold: 48, quietwater: 46, slowfurrow: 44 },
  hollis: { slowfurrow: 50, hollowreed: 49, gantry: 48 },
  yuki: { achterberg: 50, thirdkettle: 49, osier: 20 },
  desmond: { lanternfold: 50, quietwater: 30 },
  priya: { saltandmeadow: 50, fennelrow: 49 },
  lorne: { lanternfold: 50, achterberg: 35, hourglass: 28 },
  odile: { fennelrow: 50, hollowreed: 49 },
  sunniva: { lanternfold: 1.2, slowfurrow: 40 },
  amadou: { osier: 33 },
  theo: { hollowreed: 52, fennelrow: 36 },
  marisol: { quietwater: 2.6, measuredlight: 41 },
}

/** Follows that people chose themselves; other subscribers follow automatically. */
export const demoBusinessFollows: DemoLinks = {
  wren: { slowfurrow: 60, saltandmeadow: 42, gantry: 38, hollowreed: 30, fennelrow: 29, achterberg: 21, hourglass: 17, measuredlight: 9 },
  marlow: { slowfurrow: 120, fennelrow: 90, hollowreed: 70, measuredlight: 60, saltandmeadow: 55, gantry: 31, achterberg: 12 },
  odile: { lanternfold: 80, quietwater: 64, measuredlight: 43 },
  tobin: { gantry: 75, lanternfold: 27 },
  ines: { measuredlight: 66, osier: 58, slowfurrow: 39 },
  hollis: { lanternfold: 47, measuredlight: 24, fennelrow: 15 },
  yuki: { gantry: 52, saltandmeadow: 16 },
  desmond: { hourglass: 45, slowfurrow: 33 },
  priya: { osier: 37, gantry: 35, measuredlight: 13 },
  lorne: { quietwater: 40, thirdkettle: 22 },
  sunniva: { quietwater: 30, hourglass: 6 },
  amadou: { saltandmeadow: 51, achterberg: 44, thirdkettle: 43 },
  theo: { gantry: 61, slowfurrow: 57, hollowreed: 55 },
  marisol: { fennelrow: 38, saltandmeadow: 32, achterberg: 19 },
}

export const demoPeopleFollows: DemoLinks = {
  wren: { hollis: 58, yuki: 41, marlow: 40, odile: 36, sunniva: 20, priya: 12, marisol: 7 },
  marlow: { odile: 140, ines: 77, tobin: 62, wren: 26 },
  odile: { hollis: 71, marlow: 69, ines: 54, theo: 18 },
  tobin: { yuki: 49, amadou: 25 },
  ines: { priya: 59, odile: 53, amadou: 37, marlow: 1.9 },
  hollis: { odile: 70, wren: 57, theo: 46, marisol: 23 },
  yuki: { tobin: 68, wren: 42, amadou: 28 },
  desmond: { marlow: 50, wren: 3.1 },
  priya: { ines: 63, amadou: 34, wren: 11 },
  lorne: { tobin: 51, wren: 45, marlow: 34 },
  sunniva: { hollis: 39, wren: 0.9, marisol: 14, odile: 13 },
  amadou: { ines: 56, yuki: 27, priya: 26 },
  theo: { odile: 65, hollis: 47, wren: 1.4 },
  marisol: { hollis: 22, sunniva: 15, wren: 6, marlow: 0.7 },
}

export const demoFavorites: DemoLinks = {
  wren: { lanternfold: 50, quietwater: 49, saltandmeadow: 48 },
  hollis: { gantry: 50, slowfurrow: 49 },
  yuki: { achterberg: 50 },
  desmond: { lanternfold: 50 },
  priya: { saltandmeadow: 50, osier: 49 },
  lorne: { achterberg: 50, hourglass: 49 },
  marlow: { slowfurrow: 50 },
  sunniva: { lanternfold: 5, quietwater: 29 },
  amadou: { osier: 31 },
  theo: { hollowreed: 45 },
}
