import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { givenName } from '#server/features/people/index.ts'
import type { Point } from '#server/kernel/geo/distance.ts'
import type { IndexedSubject, SearchDocument } from '#server/kernel/search.ts'
import { businessQuality, communityQuality, personQuality, postQuality, productQuality } from './quality.ts'

/**
 * Documents of these subjects. Subjects no one may find have none. Per-viewer rules apply at search time (see hits.queries.ts), so text
 * that only some finders may read is never indexed: exclusive posts and locations people don't share.
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
    .select(['subscriber_count', 'total_ratings', 'rating_score', 'license_trust'])
    .where(among('id', ids))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: 'business' as const,
    title: row.name,
    names: [],
    text: said(row.description, row.location),
    quality: businessQuality({
      subscribers: row.subscriber_count,
      ratings: row.total_ratings,
      score: row.rating_score,
      trust: row.license_trust,
    }),
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
    .select(['products.is_available', 'businesses.name as business_name', 'businesses.state', 'businesses.type', 'businesses.location'])
    .select(['businesses.pin_latitude', 'businesses.pin_longitude', 'businesses.subscriber_count', 'businesses.moderation'])
    .where(among('products.id', ids))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: 'product' as const,
    title: row.name,
    names: [row.brand, row.strain].filter((name) => name !== null),
    text: said(row.description, row.category, row.business_name, row.location),
    quality: productQuality({ isAvailable: row.is_available, subscribers: row.subscriber_count }),
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
    // The likes of subscriber-only posts are private, so they must not affect the rank either.
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
    title: givenName(row),
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
