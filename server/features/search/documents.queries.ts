import { sql } from 'kysely'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { unmoderatedName } from '#server/features/people/index.ts'
import type { Point } from '#server/kernel/geo/distance.ts'
import { type IndexedSubject, type SearchDocument, wordsOf } from '#server/kernel/search.ts'

/**
 * Loads subjects as documents, which hits.ts filters for each viewer at search time. Never indexes the content of
 * exclusive posts, or locations that people don't share.
 */
type Load = (tx: Tx, ids: readonly string[], now: Date) => Promise<SearchDocument[]>

const among = (column: string, ids: readonly string[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`

const pinOf = (row: { pin_latitude: number | null; pin_longitude: number | null }): Point | null =>
  row.pin_latitude === null || row.pin_longitude === null ? null : { latitude: row.pin_latitude, longitude: row.pin_longitude }

const said = (...texts: (string | null | undefined)[]) => texts.filter(Boolean).join('\n')

const businesses: Load = async (tx, ids) => {
  const rows = await tx
    .selectFrom('businesses')
    .select(['id', 'name', 'description', 'location', 'state', 'type', 'pin_latitude', 'pin_longitude', 'moderation'])
    .select(['total_ratings', 'rating_score', 'license_trust'])
    .where(among('id', ids))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: 'business' as const,
    title: row.name,
    names: [],
    text: said(row.description, row.location),
    quality: businessQuality({ ratings: row.total_ratings, score: row.rating_score, trust: row.license_trust }),
    state: row.state,
    businessType: row.type,
    pin: pinOf(row),
    isCommonKnowledge: row.moderation === null,
  }))
}

const products: Load = async (tx, ids) => {
  const rows = await tx
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .select(['products.id', 'products.name', 'products.brand', 'products.strain', 'products.description', 'products.category'])
    .select(['products.subcategory', 'products.strain_type'])
    .select(['products.is_available', 'businesses.name as business_name', 'businesses.state', 'businesses.type', 'businesses.location'])
    .select(['businesses.pin_latitude', 'businesses.pin_longitude', 'businesses.moderation'])
    .where(among('products.id', ids))
    .where('products.moderation', 'is', null)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: 'product' as const,
    title: row.name,
    names: [row.brand, row.strain].filter((name) => name !== null),
    text: said(row.description, row.category, row.subcategory, row.strain_type, row.business_name, row.location),
    quality: productQuality({ isAvailable: row.is_available }),
    state: row.state,
    businessType: row.type,
    pin: pinOf(row),
    isCommonKnowledge: row.moderation === null,
  }))
}

const posts: Load = async (tx, ids, now) => {
  const rows = await tx
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .select(['posts.id', 'posts.title', 'posts.content', 'posts.tags', 'posts.place', 'posts.is_exclusive'])
    .select(['posts.likes_count', 'posts.comments_count', 'posts.created_at', 'businesses.state', 'businesses.type'])
    .where(among('posts.id', ids))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: 'post' as const,
    title: row.title,
    names: [],
    text: row.is_exclusive ? '' : said(row.content, row.tags.join(' '), row.place),
    // The likes and comments of exclusive posts are private, so they must not affect the rank.
    quality: postQuality(
      row.is_exclusive
        ? { likes: 0, comments: 0, createdAt: row.created_at }
        : { likes: row.likes_count, comments: row.comments_count, createdAt: row.created_at },
      now,
    ),
    state: row.state,
    businessType: row.type,
    pin: null,
    isCommonKnowledge: false,
  }))
}

const people: Load = async (tx, ids) => {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'display_name', 'first_name', 'last_name', 'bio', 'interests', 'location', 'allow_location_sharing', 'followers_count'])
    .where(among('id', ids))
    .where('is_profile_public', '=', true)
    .where('birthday', 'is not', null)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: 'person' as const,
    title: unmoderatedName(row),
    names: [],
    text: said(row.bio, row.interests.join(' '), row.allow_location_sharing ? row.location : null),
    quality: personQuality({ followers: row.followers_count }),
    state: null,
    businessType: null,
    pin: null,
    isCommonKnowledge: false,
  }))
}

const communities: Load = async (tx, ids) => {
  const rows = await tx
    .selectFrom('communities')
    .select(['id', 'name', 'description', 'category', 'visibility', 'moderation', 'member_count', 'is_verified'])
    .where(among('id', ids))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: 'community' as const,
    title: row.name,
    names: [],
    text: said(row.description, row.category),
    quality: communityQuality({ members: row.member_count, isVerified: row.is_verified }),
    state: null,
    businessType: null,
    pin: null,
    isCommonKnowledge: row.visibility !== 'private' && row.moderation === null,
  }))
}

/** `score` and `trust` also rank lists: see server/features/businesses/search.queries.ts. Trust counts for very little. */
const businessQuality = (business: { ratings: number; score: number; trust: number }): number =>
  rounded(ofKind.business + 0.1 * logOf(business.ratings) + 0.3 * (business.score - 3.5) + 0.01 * business.trust)

const rounded = (quality: number) => Math.round(quality * 100) / 100

// Logarithms of activity rank documents that match equally well, so that the most active ones don't dominate. Plans and payments don't
// count, nor do subscriptions, which may cost money.

/** How likely people are to look for each kind when they type a name. */
const ofKind = { business: 3, strain: 2.6, community: 2.5, product: 2, person: 1.5, post: 1 } as const

const logOf = (count: number) => Math.log1p(count)

const productQuality = (product: { isAvailable: boolean }): number => rounded(ofKind.product + (product.isAvailable ? 0.3 : 0))

/** Freshness decreases in steps, so that the nightly pass rewrites a post only a few times in its life. */
const freshness = [
  [1, 1.2],
  [7, 0.9],
  [30, 0.6],
  [90, 0.4],
  [365, 0.2],
] as const

const personQuality = (person: { followers: number }): number => rounded(ofKind.person + 0.3 * logOf(person.followers))

/** `isVerified` is granted by an admin and can't be bought. */
const communityQuality = (community: { members: number; isVerified: boolean }): number =>
  rounded(ofKind.community + 0.3 * logOf(community.members) + (community.isVerified ? 0.3 : 0))

export const loadDocuments: Record<IndexedSubject, Load> = {
  business: businesses,
  product: products,
  post: posts,
  person: people,
  community: communities,
}

export const subjectTable = {
  business: 'businesses',
  product: 'products',
  post: 'posts',
  person: 'users',
  community: 'communities',
} as const satisfies Record<IndexedSubject, string>

export const idsAfter = (tx: Tx, kind: IndexedSubject, after: string | null, limit: number): Promise<{ id: string }[]> =>
  tx
    .selectFrom(subjectTable[kind])
    .select('id')
    .$if(after !== null, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()

/** Ranks "Blue Dream" before "White OG / Blue Dream". */
export const withBrevity = (quality: number, title: string): number => rounded(quality - 0.05 * Math.min(wordsOf(title).length, 8))

export const strainQuality = ofKind.strain

function postQuality(post: { likes: number; comments: number; createdAt: Date }, now: Date): number {
  const days = (now.getTime() - post.createdAt.getTime()) / dayMs
  const fresh = freshness.find(([max]) => days <= max)?.[1] ?? 0
  return rounded(ofKind.post + 0.3 * logOf(post.likes + 2 * post.comments) + fresh)
}
