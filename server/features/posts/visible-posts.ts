import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Role } from '#contracts/accounts.ts'
import { latestBirthday, utcDate } from '#contracts/age.ts'
import type { PostType } from '#contracts/posts.ts'
import { type Compilable, compileOnce, compileShared, type ParamTypes, type Slots } from '#server/db/compile-once.ts'
import type { Db } from '#server/db/connect.ts'
import { hasPlanWith, hasSubscriptionPrice } from '#server/features/billing/index.ts'
import { readsCommunity } from '#server/features/communities/index.ts'
import { openPlacesFor, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { PublicReader } from '#server/kernel/notified-subject.ts'

/**
 * The single source of truth for who may see a post and how much of it. Lists, single reads, the feed, suggestions, comments, likes,
 * notifications and media all use it.
 *
 * The fragments expect these table names: `from posts left join businesses on businesses.id = posts.business_id`.
 */

/** A signed-in viewer of posts. Use `null` for a signed-out visitor. */
export type Viewer = {
  id: string
  /** In whole years; null if the birthday is unknown. */
  age: number | null
  /** The time of reading, for anything that expires. */
  now: Date
  role?: Role
  /** Whether the viewer has a paid plan. Only then do queries check what the plan opens, which saves the cost for everyone else. */
  hasPlan?: boolean
}

export function viewerOf(actor: Actor, now: Date): Viewer
export function viewerOf(actor: Actor | null, now: Date): Viewer | null
export function viewerOf(actor: Actor | null, now: Date): Viewer | null {
  return actor && { id: actor.id, age: ageOf(actor, now), now, role: actor.role, hasPlan: actor.hasPlan }
}

/** Types of posts that count as advertising. Viewers must be of the jurisdiction's minimum age to see them. */
export const advertising: readonly PostType[] = ['promotion', 'product']

/** A viewer in a query: parameters for one viewer, or a table's columns for many. */
export type Reader = {
  id: RawBuilder<string | null>
  /** Whether the viewer is old enough to see advertising by the row's business. */
  isOfAge: RawBuilder<boolean>
  /** Whether the viewer's plan opens exclusive posts of businesses that charge nothing for subscribing. */
  opensUnpriced: RawBuilder<boolean>
  now: RawBuilder<Date>
}

/** The fields of a viewer that determine whether a post is visible at all. */
type Sighted = Pick<Reader, 'id' | 'isOfAge' | 'now'>

export type ReaderParams = { viewerId: string | null; now: Date | null; everywhere: boolean; open: string[]; closed: string[] }
export const readerParamNames = ['viewerId', 'now', 'everywhere', 'open', 'closed'] as const satisfies (keyof ReaderParams)[]

/** For statements that viewers share. */
export const readerParamTypes: ParamTypes<ReaderParams> = {
  viewerId: 'uuid',
  now: 'timestamptz',
  everywhere: 'boolean',
  open: 'text[]',
  closed: 'text[]',
}

export function readerParams(viewer: Viewer | null): ReaderParams {
  return { viewerId: viewer?.id ?? null, now: viewer?.now ?? null, ...openPlacesFor(viewer?.age ?? null) }
}

export const hasPlanOf = (viewer: Viewer | null): boolean => viewer?.hasPlan ?? false

type ReaderSlots = { [Name in keyof ReaderParams]: RawBuilder<ReaderParams[Name]> }

export function readerBy({ viewerId, now, everywhere, open, closed }: ReaderSlots, hasPlan: boolean): Reader {
  const place = sql`(businesses.country || ' ' || coalesce(businesses.state, ''))`
  return {
    id: sql`${viewerId}::uuid`,
    isOfAge: sql`(${everywhere}::boolean or ${place} = any(${open}::text[])
      or ((businesses.country || ' ') = any(${open}::text[]) and ${place} <> all(${closed}::text[])))`,
    // References no row, so PostgreSQL evaluates it once per query, and only if an exclusive post needs it.
    opensUnpriced: hasPlan ? hasPlanWith('exclusive_posts', sql`${viewerId}::uuid`, now) : sql<boolean>`false`,
    now: sql`${now}::timestamptz`,
  }
}

/** A single viewer. There are only two query texts, with and without a plan, so PostgreSQL can reuse their plans. */
export function readerOf(viewer: Viewer | null): Reader {
  const { viewerId, now, everywhere, open, closed } = readerParams(viewer)
  const slots = { viewerId: sql<string>`${viewerId}`, now: sql<Date>`${now}`, everywhere: sql<boolean>`${everywhere}` }
  return readerBy({ ...slots, open: sql<string[]>`${open}`, closed: sql<string[]>`${closed}` }, hasPlanOf(viewer))
}

/** `compileOnce` for a read by a single viewer, as one statement for viewers with a plan and one for all others. */
export function compileForReader<Params extends Record<string, unknown>, Row>(
  names: readonly (keyof Params & string)[],
  build: (db: Db, reader: Reader, slots: Slots<ReaderParams & Params>) => Compilable<Row>,
): (db: Db, viewer: Viewer | null, params: Params) => Promise<Row[]> {
  const compile = (hasPlan: boolean) =>
    compileOnce<ReaderParams & Params, Row>([...readerParamNames, ...names], (db, slots) => build(db, readerBy(slots, hasPlan), slots))
  const [read, readByPlan] = [compile(false), compile(true)]
  return (db, viewer, params) => (hasPlanOf(viewer) ? readByPlan : read)(db, { ...readerParams(viewer), ...params })
}

/** `compileForReader` for statements that many viewers run at the same time: see `compileShared`. For reads only. */
export function compileForReaders<Params extends Record<string, unknown>, Row>(
  types: ParamTypes<Params>,
  build: (db: Db, reader: Reader, slots: Slots<ReaderParams & Params>) => Compilable<Row> & Expression<unknown>,
  sortedBy?: RawBuilder<unknown>,
): (db: Db, viewer: Viewer | null, params: Params) => Promise<Row[]> {
  const all = { ...readerParamTypes, ...types } as ParamTypes<ReaderParams & Params>
  const compile = (hasPlan: boolean) =>
    compileShared<ReaderParams & Params, Row>(all, (db, slots) => build(db, readerBy(slots, hasPlan), slots), sortedBy)
  const [read, readByPlan] = [compile(false), compile(true)]
  return (db, viewer, params) => (hasPlanOf(viewer) ? readByPlan : read)(db, { ...readerParams(viewer), ...params })
}

/** Like `readerOf`, but hides the viewer from the planner, so that it keeps one plan for a long statement: see `pageIds`. */
export function plannedReaderOf(viewer: Viewer | null): Reader {
  const unseen = <Value>(value: Value) => sql<Value>`(select ${value})`
  const { viewerId, now, everywhere, open, closed } = readerParams(viewer)
  const slots = { viewerId: unseen(viewerId), now: unseen(now), everywhere: unseen(everywhere), open: unseen(open), closed: unseen(closed) }
  return readerBy(slots, hasPlanOf(viewer))
}

/** SQL: the viewer may see a business's posts: they haven't blocked it, and either it isn't moderated or they are on its team. */
export const isBusinessVisible = ({ id }: Pick<Reader, 'id'>, businessId: RawBuilder<unknown>) => sql<boolean>`(not exists (
  select 1 from business_blocks where business_blocks.user_id = ${id} and business_blocks.business_id = ${businessId})
  and not exists (select 1 from businesses taken where taken.id = ${businessId} and taken.moderation is not null
    and not ${isMember(id, sql`taken.id`)}))`

export const isTypeVisible = ({ isOfAge }: Pick<Reader, 'isOfAge'>) =>
  sql<boolean>`(posts.post_type not in ('promotion', 'product') or coalesce(${isOfAge}, false))`

/**
 * SQL: the viewer may see a business's post. Queries over many posts of one business use `isBusinessVisible`, once, and `isTypeVisible`
 * instead.
 */
export const isBusinessPostVisible = (reader: Pick<Reader, 'id' | 'isOfAge'>, { isOnTeam }: Relation = relationTo(reader)) =>
  sql<boolean>`(${isTypeVisible(reader)} and (businesses.moderation is null or ${isOnTeam}) and not exists (
    select from business_blocks where business_blocks.user_id = ${reader.id} and business_blocks.business_id = posts.business_id))`

/** SQL for a personal post: visible to members who aren't separated from the author by a block. */
const isPersonPostVisible = ({ id }: Pick<Reader, 'id'>) => sql<boolean>`(${id} is not null and ${isNotBlocked(id, sql`posts.author_id`)})`

/**
 * SQL: held and hidden posts are visible only to their author or the business's team, removed ones to no one. Lists select
 * `posts.moderation is null`, which their indexes contain, and add the viewer's held posts separately.
 */
const isShown = ({ id }: Pick<Reader, 'id'>, { isOnTeam }: Relation) => sql<boolean>`(posts.moderation is null
  or (posts.moderation <> 'removed' and case when posts.business_id is null then posts.author_id = ${id} else ${isOnTeam} end))`

/** SQL: a post appears in lists outside its community. */
export const isListed = sql<boolean>`(posts.moderation is null and posts.community_id is null)`

/**
 * SQL: whether the viewer may know that the post exists. Includes locked posts, because titles are public. Community posts are visible to
 * people who can read the community.
 */
export const isVisible = (reader: Sighted, relation: Relation = relationTo(reader)) =>
  sql<boolean>`(${isShown(reader, relation)} and case
    when posts.business_id is not null and posts.community_id is null then ${isBusinessPostVisible(reader, relation)}
    else ${isPersonPostVisible(reader)}
      and (posts.community_id is null or ${readsCommunity(reader.id, sql`posts.community_id`, reader.now)}) end)`

/**
 * SQL: every member old enough for it may see the post in full, except across a block or mute. Implies `isOpen`, with fewer lookups.
 * Refers to `posts` only.
 */
export const isPublic = ({ isOfAge, unheardPeople, unheardBusinesses }: PublicReader) =>
  sql<boolean>`(posts.moderation is null and posts.community_id is null and not posts.is_exclusive
    and (posts.post_type not in ('promotion', 'product') or ${isOfAge})
    and case when posts.business_id is null then posts.author_id <> all(${unheardPeople})
      else posts.business_id <> all(${unheardBusinesses})
        and not exists (select from businesses taken where taken.id = posts.business_id and taken.moderation is not null) end)`

/**
 * SQL: the viewer hasn't hidden a post from their feeds. `not in` looks up the posts they hid, usually none, once per statement;
 * `not exists` would look up each post in the feed.
 */
export const isInFeeds = ({ id }: Pick<Reader, 'id'>) =>
  sql<boolean>`(posts.id not in (select hidden_posts.post_id from hidden_posts where hidden_posts.user_id = ${id}))`

/** SQL: the viewer hasn't muted the author. In feeds only. */
export const isPersonNotMuted = ({ id }: Pick<Reader, 'id'>, personId: RawBuilder<unknown>) =>
  sql<boolean>`(${personId} not in (select person_mutes.muted_id from person_mutes where person_mutes.user_id = ${id}))`

/** SQL: the viewer hasn't muted the business. In feeds only. */
export const isBusinessNotMuted = ({ id }: Pick<Reader, 'id'>, businessId: RawBuilder<unknown>) =>
  sql<boolean>`(${businessId} not in (select business_mutes.business_id from business_mutes where business_mutes.user_id = ${id}))`

/**
 * SQL: exclusive, and the viewer doesn't subscribe to the business, isn't on its team, and has no plan that opens it. Only the title is
 * visible.
 */
export const isLocked = (
  reader: Pick<Reader, 'id' | 'opensUnpriced'>,
  { isOnTeam, isSubscriber }: Relation = relationTo(reader),
) => sql<boolean>`(posts.is_exclusive and not ${isSubscriber} and not ${isOnTeam}
    and not (${reader.opensUnpriced} and not ${hasSubscriptionPrice(sql`posts.business_id`)}))`

export type Relation = { isOnTeam: RawBuilder<boolean>; isSubscriber: RawBuilder<boolean> }

const relationTo = (reader: Pick<Reader, 'id'>): Relation => ({
  isOnTeam: isMember(reader.id, sql`posts.business_id`),
  isSubscriber: subscribes(reader),
})

/**
 * `relationTo` as a lateral join, for single posts and short pages. A statement then contains it once: PostgreSQL sets up every copy of a
 * lookup on each execution, and without `offset 0`, it would copy this one to each place that uses it.
 */
export const lookUpRelation = (reader: Pick<Reader, 'id'>) => {
  const { isOnTeam, isSubscriber } = relationTo(reader)
  return sql<{ is_member: boolean; is_subscriber: boolean }>`(select ${isOnTeam} as is_member, ${isSubscriber} as is_subscriber offset 0)`
}

/** Refers to `lookUpRelation`, joined as `relation`. */
export const relationLookedUp: Relation = { isOnTeam: sql`relation.is_member`, isSubscriber: sql`relation.is_subscriber` }

export const subscribes = ({ id }: Pick<Reader, 'id'>) =>
  sql<boolean>`exists (select 1 from subscriptions where subscriptions.user_id = ${id} and subscriptions.business_id = posts.business_id)`

export const isOpen = (reader: Reader, relation: Relation = relationTo(reader)) =>
  sql<boolean>`(${isVisible(reader, relation)} and not ${isLocked(reader, relation)})`

/** SQL: whether a person is on a business's team; false if `businessId` is null. */
export const isMember = (userId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from business_members where business_members.user_id = ${userId} and business_members.business_id = ${businessId})`

/** What each viewer may see of a post: nothing (missing from the map), only the title (`isLocked`), or everything. */
export type Audience = Map<string, { isLocked: boolean }>

/** Which of these people may see a post, and how much of it. Used to notify many people. */
export async function audienceOf(db: Db, postId: string, userIds: readonly string[], now: Date): Promise<Audience> {
  const place = await placeOf(db, postId)
  if (!place || userIds.length === 0) return new Map()
  const reader = accountReader(productAgeOf(place).minimumAge, now)
  const rows = await db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .innerJoin('users', (join) => join.on(sql<boolean>`users.id = any(${userIds}::uuid[])`))
    .select(['users.id', isLocked(reader).as('is_locked')])
    .where('posts.id', '=', postId)
    .where(isVisible(reader))
    .execute()
  return new Map(rows.map((row) => [row.id, { isLocked: row.is_locked }]))
}

/** For queries in which the viewers are rows of `users`. */
function accountReader(minimumAge: number, now: Date): Reader {
  return {
    id: sql`users.id`,
    isOfAge: sql`users.birthday <= ${latestBirthday(minimumAge, utcDate(now))}::date`,
    now: sql`${now}::timestamptz`,
    opensUnpriced: hasPlanWith('exclusive_posts', sql`users.id`, sql`${now}`),
  }
}

const placeOf = (db: Db, postId: string) =>
  db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .select(['businesses.country', 'businesses.state'])
    .where('posts.id', '=', postId)
    .executeTakeFirst()
