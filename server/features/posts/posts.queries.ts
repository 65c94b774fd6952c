import { type InferResult, type RawBuilder, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { BusinessByline } from '#contracts/posts.ts'
import { compileOnce, type ParamTypes, type Slots } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { wantedBusinessId } from '#server/features/businesses/index.ts'
import { readsCommunity } from '#server/features/communities/index.ts'
import { mentionsPerson } from '#server/features/mentions/index.ts'
import { bylineColumns } from '#server/features/people/index.ts'
import { notFound } from '#server/kernel/errors.ts'
import { lastUuid } from '#server/kernel/ids.ts'
import { businessPictureId, bylinePicture } from '#server/kernel/media-address.ts'
import { excerptLength, type NotifiedSubject, type PublicSubject } from '#server/kernel/notified-subject.ts'
import {
  compileForReader,
  compileForReaders,
  isBusinessPostVisible,
  isBusinessVisible,
  isListed,
  isLocked,
  isMember,
  isOpen,
  isPublic,
  isVisible,
  lookUpRelation,
  plannedReaderOf,
  type Reader,
  readerOf,
  relationLookedUp,
  subscribes,
  type Viewer,
} from './visible-posts.ts'

export type PostRow = InferResult<ReturnType<typeof selectPosts>>[number]
export type PostKey = { id: string; created_at: Date }
export type After = readonly [createdAt: string, id: string] | null

export const businessBylineColumns = [
  'businesses.slug as business_slug',
  'businesses.name as business_name',
  'businesses.type as business_type',
  businessPictureId.as('business_image_id'),
] as const

/** Columns that are the same for every viewer; `words` adds those that depend on the lock. */
const sharedColumns = [
  ...bylineColumns,
  ...businessBylineColumns,
  'posts.id as post_id',
  'posts.business_id',
  'posts.title',
  'posts.post_type',
  'posts.is_exclusive',
  'posts.edited_at',
  'posts.community_id',
  'posts.moderation',
] as const

const mediaIds = sql<string[]>`array(select media_id from post_media where post_media.post_id = posts.id order by post_media.position)`

/** Subscriber-only columns; null if the post is locked. */
const words = (isLockedHere: RawBuilder<boolean>) => {
  const unlessLocked = <Value>(value: RawBuilder<Value>) => sql<Value | null>`case when ${isLockedHere} then null else ${value} end`
  return [
    unlessLocked(sql<string>`posts.content`).as('content'),
    unlessLocked(sql<string>`posts.place`).as('place'),
    unlessLocked(sql<string[]>`posts.tags`).as('tags'),
    unlessLocked(mediaIds).as('media_ids'),
    // Most posts mention no one, so most pages don't look for mentions.
    unlessLocked(sql<boolean>`exists (select from mentions where mentions.post_id = posts.id)`).as('has_mentions'),
  ] as const
}

export const hasLiked = ({ id }: Reader) =>
  sql<boolean>`exists (select 1 from post_likes where post_likes.post_id = posts.id and post_likes.user_id = ${id})`
export const hasSaved = ({ id }: Reader) =>
  sql<boolean>`exists (select 1 from saved_posts where saved_posts.post_id = posts.id and saved_posts.user_id = ${id})`

/** Locked content never leaves the database: no text, tags, place or pictures. */
const selectPosts = (db: Db, reader: Reader) =>
  db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .innerJoinLateral(lookUpRelation(reader).as('relation'), (join) => join.onTrue())
    .innerJoinLateral(
      sql<{ is_locked: boolean }>`(select ${isLocked(reader, relationLookedUp)} as is_locked offset 0)`.as('seen'),
      (join) => join.onTrue(),
    )
    .select(sharedColumns)
    .select([
      'posts.likes_count',
      'posts.comments_count',
      'posts.created_at',
      'posts.updated_at',
      'seen.is_locked',
      ...words(sql.ref<boolean>('seen.is_locked')),
      hasLiked(reader).as('is_liked'),
      hasSaved(reader).as('is_saved'),
      'relation.is_member',
      'relation.is_subscriber',
    ])

const readPostRows = compileForReaders<{ ids: readonly string[] }, PostRow>({ ids: 'uuid[]' }, (db, reader, { ids }) =>
  selectPosts(db, reader)
    .where(sql<boolean>`posts.id = ${pageIds(ids)}`)
    .where(isVisible(reader, relationLookedUp)),
)

/** Omits posts the viewer can't see. Unordered. */
export const postRows = (db: Db, viewer: Viewer | null, ids: readonly string[]): Promise<PostRow[]> => readPostRows(db, viewer, { ids })

/** The shared columns of posts by ID, without subscriber-only ones for those in `locked`. Doesn't check access. */
export const sharedRows = compileOnce(
  ['ids', 'locked'],
  (db, { ids, locked }: Slots<{ ids: readonly string[]; locked: readonly string[] }>) => {
    return db
      .selectFrom('posts')
      .leftJoin('businesses', 'businesses.id', 'posts.business_id')
      .innerJoin('users', 'users.id', 'posts.author_id')
      .select(sharedColumns)
      .select('posts.updated_at')
      .select(words(sql<boolean>`posts.id = ${pageIds(locked)}`))
      .where(sql<boolean>`posts.id = ${pageIds(ids)}`)
  },
)

const beginning = ['infinity', lastUuid] as const

export type PlaceParams = { beforeTime: string; beforeId: string }
export const placeParamTypes: ParamTypes<PlaceParams> = { beforeTime: 'timestamptz', beforeId: 'uuid' }

export function placeParams(after: After): PlaceParams {
  const [beforeTime, beforeId] = after ?? beginning
  return { beforeTime, beforeId }
}

export const isBefore = ({ beforeTime, beforeId }: { [Name in keyof PlaceParams]: RawBuilder<string> }) =>
  sql<boolean>`(posts.created_at, posts.id) < (${beforeTime}::timestamptz, ${beforeId}::uuid)`

export const isAfter = (after: After) => {
  const { beforeTime, beforeId } = placeParams(after)
  return isBefore({ beforeTime: sql`${beforeTime}`, beforeId: sql`${beforeId}` })
}

/** The columns of a post that are viewer-specific or change often. The rest is cached by ID and `updated_at`. */
export type ListedRow = Pick<
  PostRow,
  | 'post_id'
  | 'created_at'
  | 'updated_at'
  | 'likes_count'
  | 'comments_count'
  | 'is_locked'
  | 'is_liked'
  | 'is_saved'
  | 'is_member'
  | 'is_subscriber'
>

/** The columns of a post that `rowFor` refers to. */
export const listedColumns = sql`
  posts.id, posts.business_id, posts.is_exclusive, posts.created_at, posts.updated_at, posts.likes_count, posts.comments_count`

/** SQL: selects a `ListedRow`. */
export const rowFor = (reader: Reader) => sql`
  posts.id as post_id, posts.created_at, posts.updated_at, posts.likes_count, posts.comments_count,
  ${isLocked(reader)} as is_locked,
  ${hasLiked(reader)} as is_liked,
  ${hasSaved(reader)} as is_saved,
  ${isMember(reader.id, sql`posts.business_id`)} as is_member,
  ${subscribes(reader)} as is_subscriber`

type BusinessPage = PlaceParams & { idOrSlug: string; limit: number }

const makeBusinessPostRows = (key: 'id' | 'slug') =>
  compileForReaders<BusinessPage, ListedRow>(
    { idOrSlug: key === 'id' ? 'uuid' : 'text', ...placeParamTypes, limit: 'integer' },
    (_db, reader, { idOrSlug, viewerId, limit, ...place }) => {
      const page = (condition: RawBuilder<boolean>) => sql`(
        select ${listedColumns} from posts join businesses on businesses.id = posts.business_id
        where posts.business_id = ${wantedBusinessId({ idOrSlug, viewerId }, key)} and ${isBefore(place)} and ${condition}
        order by posts.created_at desc, posts.id desc limit ${limit})`
      const listed = page(sql<boolean>`posts.moderation is null and ${isBusinessPostVisible(reader)}`)
      const held = page(sql<boolean>`posts.moderation = 'held' and ${isMember(reader.id, sql`posts.business_id`)}`)
      return sql<ListedRow>`
        select ${rowFor(reader)} from (${listed} union all ${held} order by created_at desc, id desc limit ${limit}) as posts
        order by posts.created_at desc, posts.id desc`
    },
    sql`answer.created_at desc, answer.post_id desc`,
  )
const postsByBusinessId = makeBusinessPostRows('id')
const postsByBusinessSlug = makeBusinessPostRows('slug')

/** Newest first; the business's team also gets held posts. Empty if the viewer can't see the business. */
export const businessPostRows = (db: Db, viewer: Viewer | null, page: BusinessPage): Promise<ListedRow[]> =>
  (isUuid(page.idOrSlug) ? postsByBusinessId : postsByBusinessSlug)(db, viewer, page)

export const personPostKeys = (db: Db, viewer: Viewer, personId: string, after: After, limit: number): Promise<PostKey[]> =>
  db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .select(['posts.id', 'posts.created_at'])
    .where('posts.author_id', '=', personId)
    .where('posts.business_id', 'is', null)
    .where(isListed)
    .where(isVisible(readerOf(viewer)))
    .where(isAfter(after))
    .orderBy('posts.created_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(limit)
    .execute()

/** Where held posts are listed: on a profile, in the feed of all communities, or in one community. */
type HeldIn = { in: 'profile' | 'communities' } | { communityId: string }
type HeldOnly = { type?: string | undefined; tag?: string | undefined }

/** Held posts; lists show them only to their authors. The held posts of a business are in `businessPostRows`. */
export const heldPostKeys = (
  db: Db,
  viewer: Viewer,
  place: HeldIn,
  after: After,
  limit: number,
  { type, tag }: HeldOnly = {},
): Promise<PostKey[]> => {
  const id = sql`${viewer.id}::uuid`
  const isOwn = sql<boolean>`(posts.business_id is null and posts.author_id = ${id})`
  const isThere = () => {
    if ('communityId' in place) return sql<boolean>`(${isOwn} and posts.community_id = ${place.communityId}::uuid)`
    if (place.in === 'profile') return sql<boolean>`(${isOwn} and posts.community_id is null)`
    return sql<boolean>`(${isOwn} and ${readsCommunity(id, sql`posts.community_id`, sql<Date>`${viewer.now}::timestamptz`)})`
  }
  return db
    .selectFrom('posts')
    .select(['posts.id', 'posts.created_at'])
    .where(sql<boolean>`posts.moderation = 'held'`)
    .where(isThere())
    .where(isAfter(after))
    .$if(type !== undefined, (query) => query.where(sql<boolean>`posts.post_type = ${type}`))
    .$if(tag !== undefined, (query) => query.where(sql<boolean>`posts.tags @> array[${tag}]::text[]`))
    .orderBy('posts.created_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(limit)
    .execute()
}

/** Merges two lists that are each sorted newest first. */
export const mergeNewest = <Key extends PostKey>(listed: readonly Key[], held: readonly Key[], limit: number): Key[] =>
  held.length === 0
    ? [...listed]
    : [...listed, ...held]
        .sort((one, other) => other.created_at.getTime() - one.created_at.getTime() || (other.id < one.id ? -1 : 1))
        .slice(0, limit)

export type PostFacts = InferResult<ReturnType<typeof selectFacts>>[number]

export const selectFacts = (db: Db, reader: Reader) =>
  db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .innerJoinLateral(lookUpRelation(reader).as('relation'), (join) => join.onTrue())
    .select([
      'posts.id',
      'posts.author_id',
      'posts.business_id',
      'posts.community_id',
      'posts.post_type',
      'posts.is_exclusive',
      'posts.likes_count',
      'posts.tags',
      'posts.moderation',
      'posts.pinned_at',
      'posts.accepted_comment_id',
      'posts.created_at',
      'businesses.country',
      'businesses.state',
      isVisible(reader, relationLookedUp).as('is_visible'),
      isLocked(reader, relationLookedUp).as('is_locked'),
      'relation.is_member',
    ])

const readFacts = compileForReader<{ postId: string }, PostFacts>(['postId'], (db, reader, { postId }) =>
  selectFacts(db, reader).where('posts.id', '=', postId),
)
const lockFacts = compileForReader<{ postId: string }, PostFacts>(['postId'], (db, reader, { postId }) =>
  selectFacts(db, reader).where('posts.id', '=', postId).forNoKeyUpdate('posts'),
)

/** What determines whether the viewer may change a post, without its text. Includes posts the viewer can't see: check `is_visible`. */
export async function postFacts(db: Db, viewer: Viewer, postId: string, { lock = false } = {}): Promise<PostFacts | undefined> {
  const [post] = await (lock ? lockFacts : readFacts)(db, viewer, { postId })
  return post
}

/** Whether the viewer may see at least one of these posts in full. */
export async function isAnyOpen(db: Db, viewer: Viewer, ids: readonly string[]): Promise<boolean> {
  const post = await db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .select('posts.id')
    .where(sql<boolean>`posts.id = ${pageIds(ids)}`)
    .where(isOpen(readerOf(viewer)))
    .limit(1)
    .executeTakeFirst()
  return post !== undefined
}

/** Null in notifications without a post, which may be about a business's menu or picture instead. */
export type NotifiedPost = { title: string | null; excerpt: string | null }

export const notifiedPosts: NotifiedSubject<NotifiedPost> = (asked, viewer) => {
  const reader = plannedReaderOf(viewer)
  return sql`
    select asked.id, jsonb_build_object('title', posts.title,
      'excerpt', case when not ${isLocked(reader)} then left(posts.content, ${excerptLength}) end) as facts
    from ${asked} asked
      left join posts on posts.id = asked.post_id
      -- offset 0: looked up for each row; the planner would otherwise read all businesses for a page of posts.
      left join lateral (select * from businesses where businesses.id = posts.business_id offset 0) businesses on true
    where case when asked.post_id is null then asked.business_id is null or ${isBusinessVisible(reader, sql`asked.business_id`)}
      else ${isVisible(reader)}
        and (asked.type <> 'mention' or (not ${isLocked(reader)} and ${mentionsPerson(sql`mentions.post_id = posts.id`, reader.id)})) end`
}

export const publicPosts: PublicSubject = (reader) => ({
  from: sql`(select) as one
    left join posts on posts.id = n.post_id
    where case when n.post_id is null
      then not exists (select from businesses taken where taken.id = n.business_id and taken.moderation is not null)
      else ${isPublic(reader)}
        and (n.type <> 'mention' or ${mentionsPerson(sql`mentions.post_id = posts.id`, reader.id)}) end`,
  facts: sql`jsonb_build_object('title', posts.title, 'excerpt', left(posts.content, ${sql.lit(excerptLength)}))`,
})

type Row = {
  business_id: string | null
  business_slug: string | null
  business_name: string | null
  business_type: BusinessByline['type'] | null
  business_image_id: string | null
}

export function toBusinessByline(row: Row): BusinessByline | null {
  const { business_id: id, business_slug: slug, business_name: name, business_type: type } = row
  if (id === null || slug === null || name === null || type === null) return null
  return { id, slug, name, type, imageUrl: bylinePicture(row.business_image_id) }
}

/**
 * Locks a post. Every write to its text, likes or comments takes this lock, so that two writes can't deadlock. Lock a person's post count
 * before this.
 * @throws AppError not_found if it is missing or not visible to the viewer
 */
export async function lockPost(tx: Tx, viewer: Viewer, postId: string, missing = 'Post not found.'): Promise<PostFacts> {
  const post = await postFacts(tx, viewer, postId, { lock: true })
  if (!post?.is_visible) throw notFound(missing)
  return post
}
