import { sql } from 'kysely'
import { type BusinessType, businessTypeLabels } from '#contracts/business-types.ts'
import { figure } from '#contracts/fields.ts'
import type { SearchHit, SearchKind } from '#contracts/search.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { minMiles } from '#server/features/businesses/index.ts'
import { communityAccess } from '#server/features/communities/index.ts'
import { businessNotBlocked, bylineColumns, noBlockWithBusiness, notBlocked, toPerson } from '#server/features/people/index.ts'
import { businessBylineColumns, isLocked, isVisible, readerOf, type Viewer } from '#server/features/posts/index.ts'
import { pathOfStrain } from '#server/features/strains/index.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { type SearchMatch, wordsOf } from '#server/kernel/search.ts'
import { strainsById } from './index-subjects.ts'

type Found = Omit<SearchHit, 'kind' | 'snippet' | 'distanceMiles' | 'isAlike' | 'matched'> & {
  text: string | null
}

const nothing = {
  subtitle: null,
  imageUrl: null,
  businessType: null,
  location: null,
  rating: null,
  precision: null,
  createdAt: null,
  isDemo: false,
  isClosed: false,
  text: null,
}

const said = (...parts: (string | null)[]) => parts.filter(Boolean).join(' · ') || null
const label = (type: BusinessType) => businessTypeLabels[type]

type Load = (db: Db, viewer: Viewer, ids: readonly string[], closedNamed: string | null) => Promise<Found[]>

const load: Record<SearchKind, Load> = {
  business: async (db, viewer, ids, closedNamed) =>
    (await businessRows(db, viewer, ids, closedNamed).execute()).map((row) => ({
      ...nothing,
      id: row.id,
      title: row.name,
      subtitle: label(row.type),
      path: `/business/${row.slug}`,
      imageUrl: bylinePicture(row.image_id),
      businessType: row.type,
      location: row.location,
      precision: row.pin_precision,
      rating: row.total_ratings === 0 ? null : { average: row.average_rating, count: row.total_ratings },
      isDemo: row.is_demo,
      isClosed: row.closure !== null,
      text: row.description,
    })),
  product: async (db, viewer, ids) =>
    (await productRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.id,
      title: row.name,
      subtitle: said(row.brand ?? row.strain, row.business_name),
      path: `/product/${row.id}`,
      imageUrl: bylinePicture(row.image_id),
      businessType: row.type,
      location: row.location,
      precision: row.pin_precision,
      isDemo: row.is_demo,
      text: row.description,
    })),
  post: async (db, viewer, ids) =>
    (await postRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.post_id,
      title: row.title,
      subtitle: said(row.business_name ?? toPerson(row).name, row.community_name),
      path: `/post/${row.post_id}`,
      imageUrl: bylinePicture(row.picture_id),
      businessType: row.business_type,
      location: row.business_location,
      createdAt: row.created_at.toISOString(),
      isDemo: row.is_demo,
      text: row.content,
    })),
  person: async (db, viewer, ids) =>
    (await personRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.id,
      title: toPerson(row).name,
      path: `/people/${row.id}`,
      imageUrl: toPerson(row).imageUrl,
      location: row.allow_location_sharing ? row.location : null,
      isDemo: row.is_demo,
      text: row.bio,
    })),
  community: async (db, viewer, ids) =>
    (await communityRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.id,
      title: row.name,
      subtitle: `${figure(row.member_count)} ${row.member_count === 1 ? 'member' : 'members'}`,
      path: `/communities/${row.slug}`,
      imageUrl: bylinePicture(row.image_id),
      isDemo: row.is_demo,
      text: row.description,
    })),
  strain: async (_db, _viewer, ids) =>
    ids.flatMap((id) => {
      const strain = strainsById().get(id)
      if (!strain) return []
      const path = pathOfStrain(strain.name) ?? `/search?q=${encodeURIComponent(strain.name)}&kind=product`
      return [{ ...nothing, id, title: strain.name, subtitle: said(strain.type, strain.breeder), path }]
    }),
}

/** Matches the viewer may see, in the given order. Omits closed businesses unless `closedNamed` is their whole name, ignoring case. */
export async function readHits(
  db: Db,
  viewer: Viewer,
  matches: readonly SearchMatch[],
  words: readonly string[],
  closedNamed: string | null = null,
): Promise<{ hit: SearchHit; match: SearchMatch }[]> {
  const byKind = Map.groupBy(matches, ({ kind }) => kind)
  const found = await Promise.all([...byKind].map(([kind, of]) => load[kind](db, viewer, idsOf(of), closedNamed)))
  const byId = new Map(found.flat().map((each) => [each.id, each]))
  return matches.flatMap((match) => {
    const each = byId.get(match.id)
    if (!each) return []
    const { text, ...rest } = each
    return [
      {
        match,
        hit: {
          ...rest,
          kind: match.kind,
          ...aboutMatch(match, rest.precision),
          snippet: snippetOf(text, words),
          matched: matchedRanges(rest.title, words),
        },
      },
    ]
  })
}

/** Rounds distances. Those to imprecise locations have a minimum, as in lists of businesses. */
const aboutMatch = ({ isAlike, distanceMiles }: SearchMatch, precision: SearchHit['precision']) => ({
  isAlike,
  distanceMiles: distanceMiles === null ? null : Math.round(Math.max(distanceMiles, precision ? minMiles[precision] : 0) * 10) / 10,
})

/** A word in a text, including marks and apostrophes that matching ignores. */
const wordPattern = /[\p{L}\p{N}\p{M}'‘’ʻ`´]+/gu

/** Ranges of the matching prefixes of words, in UTF-16 code units. */
export function matchedRanges(text: string, words: readonly string[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const { 0: whole, index } of text.matchAll(wordPattern)) {
    const found = maxPrefixLength(wordsOf(whole).join(''), words)
    if (found === null) continue
    const start = index + whole.search(/[\p{L}\p{N}]/u)
    ranges.push([start, start + lengthIn(text.slice(start, index + whole.length), found)])
  }
  return ranges
}

function maxPrefixLength(word: string, words: readonly string[]): string | null {
  const fitting = words.filter((asked) => word.startsWith(asked))
  return fitting.length === 0 ? null : fitting.reduce((one, other) => (other.length > one.length ? other : one))
}

/** The length of the written prefix that folds to `folded`: "bouf" matches the first four letters of "Bouffée". */
function lengthIn(written: string, folded: string): number {
  let length = 0
  let said = ''
  for (const character of written) {
    if (said.length >= folded.length && !/\p{M}/u.test(character)) break
    said += foldText(character).replace(/'/g, '')
    length += character.length
  }
  return length
}

const snippetLength = 160
const before = 50

/** A one-line excerpt around the first match, or the start of the text. Null if there is no text. */
export function snippetOf(text: string | null, words: readonly string[]): string | null {
  const line = (text ?? '').replace(/\s+/g, ' ').trim()
  if (line === '') return null
  const found = matchedRanges(line.slice(0, 5000), words)[0]?.[0] ?? 0
  const start = found <= before ? 0 : afterBlank(line, found - before)
  const end = line.length - start <= snippetLength ? line.length : beforeBlank(line, start + snippetLength)
  return `${start > 0 ? '…' : ''}${line.slice(start, end).trim()}${end < line.length ? '…' : ''}`.toWellFormed()
}

function afterBlank(line: string, at: number): number {
  const blank = line.indexOf(' ', at)
  return blank === -1 || blank > at + before ? at : blank + 1
}

function beforeBlank(line: string, at: number): number {
  const blank = line.lastIndexOf(' ', at)
  return blank < at - before ? at : blank
}

// The queries below filter matches of the index by what the viewer may see, using the rules of each feature. The index lags behind and
// doesn't depend on the viewer, so only rows returned by these queries may be shown.
const among = (column: string, ids: readonly string[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`

/** Includes closed businesses only if the query (`closedNamed`) is their whole name, ignoring case. */
const businessRows = (db: Db, viewer: Viewer, ids: readonly string[], closedNamed: string | null = null) =>
  db
    .selectFrom('businesses')
    .select(['id', 'slug', 'name', 'type', 'description', 'location', 'state', 'image_id', 'average_rating', 'total_ratings', 'is_demo'])
    .select(['closure', 'pin_precision'])
    .where(among('id', ids))
    .where('moderation', 'is', null)
    .where(sql<boolean>`(closure is null or lower(name) = lower(${closedNamed}::text))`)
    .where(businessNotBlocked(viewer.id, 'businesses.id'))

const isOfAge = (viewer: Viewer) => sql<boolean>`coalesce(${readerOf(viewer).isOfAge}, false)`

const shownProducts = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .where(among('products.id', ids))
    .where('products.moderation', 'is', null)
    .where('businesses.moderation', 'is', null)
    // A closed business's prices no longer apply.
    .where('businesses.closure', 'is', null)
    .where(noBlockWithBusiness(viewer.id, 'businesses.id'))

/** Like menus, products are only for viewers of the place's minimum age. */
const productRows = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  shownProducts(db, viewer, ids)
    .select(['products.id', 'products.name', 'products.brand', 'products.strain', 'products.description', 'products.image_id'])
    .select(['businesses.slug', 'businesses.name as business_name', 'businesses.type', 'businesses.location', 'businesses.is_demo'])
    .select('businesses.pin_precision')
    .where(isOfAge(viewer))

/** Places of products that only the viewer's age hides. */
export const placesTooYoungFor = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  shownProducts(db, viewer, ids)
    .select(['businesses.country', 'businesses.state'])
    .distinct()
    .where(sql<boolean>`not ${isOfAge(viewer)}`)
    .execute()

/** Locked posts have no content and no picture. Moderated posts are omitted even for their author. */
const postRows = (db: Db, viewer: Viewer, ids: readonly string[]) => {
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

/** People with a public, unmoderated profile who aren't banned, leaving, or separated from the viewer by a block. */
const personRows = (db: Db, viewer: Viewer, ids: readonly string[]) =>
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

const communityRows = (db: Db, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('communities')
    .select(['id', 'slug', 'name', 'description', 'member_count', 'image_id', 'is_demo'])
    .where(among('id', ids))
    .where('moderation', 'is', null)
    .where(sql<boolean>`${communityAccess(sql`${viewer.id}::uuid`, viewer.now)} is not null`)

const visibleRows = { business: businessRows, product: productRows, post: postRows, person: personRows, community: communityRows } as const

/** Counts in the database, so that it doesn't compute columns that only hits need. */
export async function countVisible(db: Db, viewer: Viewer, kind: Exclude<SearchKind, 'strain'>, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${visibleRows[kind](db, viewer, ids)} as visible`.execute(db)
  return rows[0]?.count ?? 0
}

export const countBusinesses = (
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
  closedNamed: string,
): Promise<{ state: string | null; type: BusinessType; count: number }[]> =>
  db
    .selectFrom(businessRows(db, viewer, ids, closedNamed).as('visible'))
    .select(['state', 'type', sql<number>`count(*)::integer`.as('count')])
    .groupBy(['state', 'type'])
    .execute()
