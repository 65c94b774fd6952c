import { sql } from 'kysely'
import type { GuideLink } from '../../../contracts/guide.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { foldText } from '../../kernel/fold-text.ts'
import { resolvePlace } from '../../kernel/geo/place-search.ts'
import { listBusinesses } from '../businesses/index.ts'
import { suggestCommunities } from '../communities/index.ts'
import { getSuggestions } from '../posts/index.ts'
import { mayBeSaid } from './boundaries.ts'
import { foundBusiness, foundCommunity, onlyVisible, plainName } from './find-records.ts'

export type Recommended = { text: string; link: GuideLink }

type Account = { user_type: 'consumer' | 'business'; interests: string[]; location: string | null }

const mostBusinesses = 2
const mostCommunities = 2
const mostPosts = 1
/** Of those near, to have some left when the ones that are known already are taken out. */
const looksAt = 20

/**
 * Places near, communities and posts that somebody has nothing to do with yet, out of the lists that they could read themselves, each in a
 * sentence with its link. Nobody pays for a place among them.
 */
export async function recommend(ctx: Context, actor: Actor, account: Account): Promise<Recommended[]> {
  const now = ctx.clock.now()
  const [businesses, communities, posts] = await Promise.all([
    account.user_type === 'business' ? [] : nearbyBusinesses(ctx, actor, account.location),
    suggestCommunities(ctx.db, actor, now),
    getSuggestions(ctx, actor, {}),
  ])
  const interests = account.interests.flatMap((interest) => foldText(interest).split(/\s+/)).filter((word) => word.length > 3)
  /** Those that say something of an interest come first; among equals the order stays. */
  const byInterest = <Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] => {
    const matches = (item: Item) => Number(interests.some((word) => foldText(textOf(item)).includes(word)))
    return [...items].sort((a, b) => matches(b) - matches(a))
  }
  return [
    ...businesses.slice(0, mostBusinesses).map(foundBusiness),
    ...byInterest(
      communities.map(({ community }) => community),
      ({ name, category, description }) => `${name} ${category} ${description}`,
    )
      .filter(({ name }) => mayBeSaid(name))
      .slice(0, mostCommunities)
      .map(foundCommunity),
    ...byInterest(
      posts.filter(({ isLocked, business }) => !isLocked && business !== null),
      ({ title, tags }) => `${title} ${tags.join(' ')}`,
    )
      .filter(({ title }) => mayBeSaid(title))
      .slice(0, mostPosts)
      .map(({ id, title, business }) => ({
        title: plainName(title),
        path: `/post/${id}`,
        fact: `a post by ${plainName(business?.name ?? '')}`,
      })),
  ].map(({ title, path, fact }) => ({ text: `${title}: ${fact}`, link: { title, path } }))
}

async function nearbyBusinesses(ctx: Context, actor: Actor, location: string | null) {
  const near = location && resolvePlace(location) ? { near: location } : {}
  const { items } = await listBusinesses(ctx.db, { ...near, sort: 'highest_rated', limit: looksAt }, ctx.clock.now())
  const known = await knownBusinesses(ctx, actor.id)
  return onlyVisible(
    ctx,
    actor.id,
    items.filter(({ id }) => !known.has(id)),
  )
}

/** Followed, kept as a favorite, subscribed to, or the person's own. */
async function knownBusinesses({ db }: Context, userId: string): Promise<Set<string>> {
  const me = sql`${userId}::uuid`
  const { rows } = await sql<{ business_id: string }>`
    select business_id from business_follows where user_id = ${me}
    union select business_id from favorites where user_id = ${me}
    union select business_id from subscriptions where user_id = ${me}
    union select business_id from business_members where user_id = ${me}`.execute(db)
  return new Set(rows.map(({ business_id }) => business_id))
}
