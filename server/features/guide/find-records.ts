import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { GuideLink } from '#contracts/guide.endpoints.ts'
import { listCommunities } from '#server/features/communities/index.ts'
import { nameKey, suggestStrains } from '#server/features/strains/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { mayBeNamed } from './boundaries.ts'
import type { Asked } from './question.ts'

/** A record the person could find themselves: its name, link and a short fact. */
export type Found = { title: string; path: string; fact: string }

type Ctx = Pick<Context, 'db' | 'clock'>

const maxCommunities = 3

/** "4.6 stars from 12 ratings". */
export const ratingOf = ({ averageRating, totalRatings }: Pick<BusinessSummary, 'averageRating' | 'totalRatings'>) =>
  totalRatings === 0
    ? 'no ratings yet'
    : `${averageRating.toFixed(1)} stars from ${totalRatings} ${totalRatings === 1 ? 'rating' : 'ratings'}`

/** Excludes text that businesses write about themselves: only name, type, place and ratings. */
export const foundBusiness = (business: BusinessSummary): Found => ({
  title: plainName(business.name),
  path: `/business/${business.slug}`,
  fact: `${businessTypeLabels[business.type].toLowerCase()}${business.location ? ` in ${business.location}` : ''}, ${ratingOf(business)}`,
})

export const foundCommunity = ({
  name,
  slug,
  category,
  memberCount,
}: {
  name: string
  slug: string
  category: string
  memberCount: number
}): Found => ({
  title: plainName(name),
  path: `/communities/${slug}`,
  fact: `community about ${category === 'general' ? 'everything' : category}, ${memberCount} ${memberCount === 1 ? 'member' : 'members'}`,
})

/** One line without addresses, or characters that a page, a model or a reader could take for more than a name. */
export const plainName = (name: string): string =>
  name
    .replace(/(?:https?:\/\/|www\.)\S*|\S+\.\S+\/\S*/gi, ' ')
    .replace(/[\p{C}<>[\](){}`*_|\\]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)

/** Excludes businesses the person has blocked and names that make health claims. */
export async function onlyVisible(ctx: Ctx, actorId: string, businesses: readonly BusinessSummary[]): Promise<BusinessSummary[]> {
  if (businesses.length === 0) return []
  const blocked = await ctx.db
    .selectFrom('business_blocks')
    .select('business_id')
    .where('user_id', '=', actorId)
    .where(
      'business_id',
      'in',
      businesses.map(({ id }) => id),
    )
    .execute()
  const hidden = new Set(blocked.map(({ business_id }) => business_id))
  return businesses.filter(({ id, name }) => !hidden.has(id) && mayBeNamed(name))
}

export async function findCommunities({ db, clock }: Ctx, actor: Actor, { topic, words }: Asked): Promise<Found[]> {
  const list = (q: string, inCategory: typeof topic) =>
    listCommunities(db, actor, { q, sort: 'featured', limit: maxCommunities, category: inCategory ?? undefined }, clock.now())
  const q = words.join(' ').slice(0, 80)
  const named = q === '' ? [] : (await list(q, null)).items
  const items = named.length > 0 ? named : topic ? (await list('', topic)).items : []
  return items.filter(({ name }) => mayBeNamed(name)).map(foundCommunity)
}

/** What the strain list says of a strain: its type and breeder, never effects. */
export function findStrain(words: readonly string[]): Found | null {
  if (words.length === 0 || words.length > 5) return null
  const asked = nameKey(words.join(' '))
  const strain = suggestStrains(asked, 5).find(({ name }) => nameKey(name) === asked)
  if (!strain) return null
  const facts = [strain.type?.toLowerCase(), strain.breeder && `bred by ${plainName(strain.breeder)}`].filter(Boolean)
  return {
    title: plainName(strain.name),
    path: `/search?q=${encodeURIComponent(strain.name)}`,
    fact: `a strain in our list${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`,
  }
}

/** What the guide found, or the one line that says what it doesn't know. */
export type Finding =
  | {
      lead: string
      found: Found[]
      /** The lists behind the answer, with the filters that it used. */
      more: GuideLink[]
      /** It tells where the person is, or how to reach someone, so a language model doesn't get it. */
      isPrivate: boolean
    }
  | { unknown: string; more: GuideLink[] }
