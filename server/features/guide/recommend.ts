import { sql } from 'kysely'
import type { GuideLink } from '#contracts/guide.ts'
import { listBusinesses } from '#server/features/businesses/index.ts'
import { suggestCommunities } from '#server/features/communities/index.ts'
import { getSuggestions } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'
import { mayBeSaid } from './boundaries.ts'
import { foundBusiness, foundCommunity, onlyVisible, plainName } from './find-records.ts'

export type Recommended = { text: string; link: GuideLink }

type Account = { user_type: 'consumer' | 'business'; interests: string[]; location: string | null }

const maxBusinesses = 2
const maxCommunities = 2
const maxPosts = 1
/** Fetches more than needed, since known businesses are filtered out. */
const looksAt = 20

/**
 * Recommends nearby businesses, communities and posts that are new to the person, from lists they could read themselves,
 * each as a sentence with a link. Placement can't be bought.
 */
export async function recommend(ctx: Context, actor: Actor, account: Account): Promise<Recommended[]> {
  const now = ctx.clock.now()
  const [businesses, communities, posts] = await Promise.all([
    account.user_type === 'business' ? [] : nearbyBusinesses(ctx, actor, account.location),
    suggestCommunities(ctx.db, actor, now),
    getSuggestions(ctx, actor, {}),
  ])
  const interests = account.interests.flatMap((interest) => foldText(interest).split(/\s+/)).filter((word) => word.length > 3)
  /** Stable sort that puts matches with an interest first. */
  const byInterest = <Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] => {
    const matches = (item: Item) => Number(interests.some((word) => foldText(textOf(item)).includes(word)))
    return [...items].sort((a, b) => matches(b) - matches(a))
  }
  return [
    ...businesses.slice(0, maxBusinesses).map(foundBusiness),
    ...byInterest(
      communities.map(({ community }) => community),
      ({ name, category, description }) => `${name} ${category} ${description}`,
    )
      .filter(({ name }) => mayBeSaid(name))
      .slice(0, maxCommunities)
      .map(foundCommunity),
    ...byInterest(
      posts.filter(({ isLocked, business }) => !isLocked && business !== null),
      ({ title, tags }) => `${title} ${tags.join(' ')}`,
    )
      .filter(({ title }) => mayBeSaid(title))
      .slice(0, maxPosts)
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

/** Followed, favorited, subscribed to, or the person's own. */
async function knownBusinesses({ db }: Context, userId: string): Promise<Set<string>> {
  const me = sql`${userId}::uuid`
  const { rows } = await sql<{ business_id: string }>`
    select business_id from business_follows where user_id = ${me}
    union select business_id from favorites where user_id = ${me}
    union select business_id from subscriptions where user_id = ${me}
    union select business_id from business_members where user_id = ${me}`.execute(db)
  return new Set(rows.map(({ business_id }) => business_id))
}
