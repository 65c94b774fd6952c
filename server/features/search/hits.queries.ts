import { sql } from 'kysely'
import type { BusinessType } from '#contracts/business-types.ts'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { communityAccess } from '#server/features/communities/index.ts'
import { businessNotBlocked, bylineColumns, notBlocked } from '#server/features/people/index.ts'
import { businessBylineColumns, isLocked, isVisible, readerOf, type Viewer } from '#server/features/posts/index.ts'

/**
 * Filters index matches by what the viewer may see, using the rules of each feature. The index lags behind and has no notion of viewers,
 * so only rows returned here exist for them.
 */
const among = (column: string, ids: readonly string[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`

export const businessRows = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('businesses')
    .select(['id', 'slug', 'name', 'type', 'description', 'location', 'state', 'image_id', 'average_rating', 'total_ratings', 'is_demo'])
    .where(among('id', ids))
    .where('moderation', 'is', null)
    .where(businessNotBlocked(viewer.id, 'businesses.id'))

const isOfAge = (viewer: Viewer) => sql<boolean>`coalesce(${readerOf(viewer).isOfAge}, false)`

const shownProducts = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .where(among('products.id', ids))
    .where('products.moderation', 'is', null)
    .where('businesses.moderation', 'is', null)
    .where(businessNotBlocked(viewer.id, 'businesses.id'))

/** Like menus: only for viewers of the place's minimum age. */
export const productRows = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  shownProducts(db, viewer, ids)
    .select(['products.id', 'products.name', 'products.brand', 'products.strain', 'products.description', 'products.image_id'])
    .select(['businesses.slug', 'businesses.name as business_name', 'businesses.type', 'businesses.location', 'businesses.is_demo'])
    .where(isOfAge(viewer))

/** Where the products among these are sold that only the viewer's age hides. */
export const placesTooYoungFor = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  shownProducts(db, viewer, ids)
    .select(['businesses.country', 'businesses.state'])
    .distinct()
    .where(sql<boolean>`not ${isOfAge(viewer)}`)
    .execute()

/** Locked posts show only the title. As in all lists, moderated posts are omitted even for their author. */
export const postRows = (db: Db, viewer: Viewer, ids: readonly string[]) => {
  const reader = readerOf(viewer)
  return db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .leftJoin('communities', 'communities.id', 'posts.community_id')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .select(bylineColumns)
    .select(businessBylineColumns)
    .select(['posts.id as post_id', 'posts.business_id', 'posts.title', 'posts.created_at', 'communities.name as community_name'])
    .select([
      sql<string | null>`case when ${isLocked(reader)} then null else posts.content end`.as('content'),
      sql<string | null>`case when ${isLocked(reader)} then null else (
        select post_media.media_id from post_media join media on media.id = post_media.media_id and media.kind = 'image'
        where post_media.post_id = posts.id order by post_media.position limit 1) end`.as('picture_id'),
      sql<boolean>`coalesce(businesses.is_demo, users.is_demo)`.as('is_demo'),
      sql<string | null>`businesses.location`.as('business_location'),
    ])
    .where(among('posts.id', ids))
    .where('posts.moderation', 'is', null)
    .where(isVisible(reader))
}

/** People with a public, unmoderated profile and no block in either direction. */
export const personRows = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('users')
    .select(bylineColumns)
    .select(['users.bio', 'users.location', 'users.allow_location_sharing', 'users.is_demo'])
    .where(among('users.id', ids))
    .where('users.is_profile_public', '=', true)
    .where('users.profile_moderation', 'is', null)
    .where('users.banned_at', 'is', null)
    .where('users.leaves_at', 'is', null)
    .where(notBlocked(viewer.id, 'users.id'))

export const communityRows = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('communities')
    .select(['id', 'slug', 'name', 'description', 'member_count', 'image_id', 'is_demo'])
    .where(among('id', ids))
    .where('moderation', 'is', null)
    .where(sql<boolean>`${communityAccess(sql`${viewer.id}::uuid`, viewer.now)} is not null`)

const visibleRows = { business: businessRows, product: productRows, post: postRows, person: personRows, community: communityRows } as const

/** How many of these the viewer may see. Reads only the columns needed for that. */
export async function countVisible(db: Db, viewer: Viewer, kind: Exclude<SearchKind, 'strain'>, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${visibleRows[kind](db, viewer, ids)} as visible`.execute(db)
  return rows[0]?.count ?? 0
}

export const countBusinesses = (
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<{ state: string | null; type: BusinessType; count: number }[]> =>
  db
    .selectFrom(businessRows(db, viewer, ids).as('visible'))
    .select(['state', 'type', sql<number>`count(*)::integer`.as('count')])
    .groupBy(['state', 'type'])
    .execute()
