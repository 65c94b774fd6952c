import { newId } from '../../kernel/ids.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { type DemoLinks, demoBusinessFollows, demoFavorites, demoPeopleFollows, demoSubscriptions } from './demo-follows.ts'
import { type Deed, daysBefore, type Loading, needed } from './loading.ts'

type Followed = { key: string; daysAgo: number; isImplied: boolean }

/** What somebody follows of their own accord, and what they follow because they subscribe. */
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

export async function addFollows(loading: Loading): Promise<Deed[]> {
  const { tx, now, people, businesses } = loading
  const idOf = (person: string) => needed(people, person)

  const subscriptions = links(demoSubscriptions).map(({ from, to, daysAgo }) => ({
    user_id: idOf(from),
    business_id: needed(businesses, to),
    created_at: daysBefore(now, daysAgo),
  }))
  await tx.insertInto('subscriptions').values(subscriptions).execute()

  const follows = [...people].flatMap(([person, user_id]) =>
    businessesFollowedBy(person).map(({ key, daysAgo, isImplied }) => ({
      user_id,
      business_id: needed(businesses, key),
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
    business_id: needed(businesses, to),
    created_at: daysBefore(now, daysAgo),
  }))
  await tx.insertInto('favorites').values(favorites).execute()

  const owners = new Map(demoBusinesses.map(({ key, owner }) => [needed(businesses, key), idOf(owner)]))
  return [
    ...between.map(
      (follow): Deed => ({
        tells: [follow.person_id],
        type: 'follow',
        groupKey: 'follow',
        actorId: follow.follower_id,
        at: follow.created_at,
      }),
    ),
    ...subscriptions.map(
      ({ user_id, business_id, created_at }): Deed => ({
        tells: [needed(owners, business_id)],
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
