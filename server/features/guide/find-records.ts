import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { listBusinesses } from '#server/features/businesses/index.ts'
import { listCommunities } from '#server/features/communities/index.ts'
import { nameKey, suggestStrains } from '#server/features/strains/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { mayBeSaid } from './boundaries.ts'
import type { Wanted } from './question.ts'

/** A record the person could find themselves: its name, link and a short fact. */
export type Found = { title: string; path: string; fact: string }

type Ctx = Pick<Context, 'db' | 'clock'>

const maxBusinesses = 4
const maxCommunities = 3

/** "4.6 stars from 12 ratings". */
const ratingOf = ({ averageRating, totalRatings }: BusinessSummary) =>
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
  return businesses.filter(({ id, name }) => !hidden.has(id) && mayBeSaid(name))
}

export async function findRecords(ctx: Ctx, actor: Actor, wanted: Wanted, home: string | null): Promise<Found[]> {
  const [businesses, communities] = await Promise.all([findBusinesses(ctx, wanted, home), findCommunities(ctx, actor, wanted)])
  const visible = (await onlyVisible(ctx, actor.id, businesses)).slice(0, maxBusinesses)
  return [...visible.map(foundBusiness), ...communities, ...findStrain(wanted)]
}

async function findBusinesses({ db, clock }: Ctx, wanted: Wanted, home: string | null): Promise<BusinessSummary[]> {
  const now = clock.now()
  const { type, place, isNearMe, isAboutBusinesses, isAboutCommunities, words } = wanted
  const near = place ?? (isNearMe ? home : null)
  // Two extra, because some may be blocked or filtered out.
  const page = { sort: 'highest_rated' as const, limit: maxBusinesses + 2 }
  const filters = { ...(type ? { type } : {}), ...(near ? { near } : {}) }
  const q = words.join(' ').slice(0, 120)
  if (isAboutBusinesses) {
    const named = q === '' ? [] : (await listBusinesses(db, { ...filters, q, ...page }, now)).items
    return named.length > 0 ? named : (await listBusinesses(db, { ...filters, ...page }, now)).items
  }
  // Only plain names with words of two letters or more: anything else would match half of the directory.
  if (isAboutCommunities || words.length === 0 || words.length > 5 || q.length < 4) return []
  const { items } = await listBusinesses(db, { q, ...page }, now)
  return items.filter(({ name }) => words.every((word) => nameKey(name).includes(word)))
}

async function findCommunities({ db, clock }: Ctx, actor: Actor, { isAboutCommunities, category, words }: Wanted): Promise<Found[]> {
  const list = (q: string, inCategory: typeof category) =>
    listCommunities(db, actor, { q, sort: 'featured', limit: maxCommunities, category: inCategory ?? undefined }, clock.now())
  if (!isAboutCommunities) return []
  const q = words.join(' ').slice(0, 80)
  const named = q === '' ? [] : (await list(q, null)).items
  const items = named.length > 0 ? named : category ? (await list('', category)).items : []
  return items.filter(({ name }) => mayBeSaid(name)).map(foundCommunity)
}

function findStrain({ words, isAboutBusinesses, isAboutCommunities }: Wanted): Found[] {
  if (isAboutBusinesses || isAboutCommunities || words.length === 0 || words.length > 5) return []
  const asked = nameKey(words.filter((word) => !/^strains?$/.test(word)).join(' '))
  const strain = suggestStrains(asked, 5).find(({ name }) => nameKey(name) === asked)
  if (!strain) return []
  const facts = [strain.type?.toLowerCase(), strain.breeder && `bred by ${plainName(strain.breeder)}`].filter(Boolean)
  return [
    {
      title: plainName(strain.name),
      path: `/search?q=${encodeURIComponent(strain.name)}`,
      fact: `a strain in our list${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`,
    },
  ]
}
