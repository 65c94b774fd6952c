import { type RawBuilder, sql } from 'kysely'
import type { FeedPost } from '#contracts/posts.ts'
import { dayMs } from '#contracts/time.ts'
import { compileShared, type Slots } from '#server/db/compile-once.ts'
import type { Db } from '#server/db/connect.ts'
import { type Area, isInArea } from '#server/features/businesses/index.ts'
import { openPlacesFor } from '#server/features/jurisdictions/index.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import {
  type After,
  isBefore,
  type ListedRow,
  listedColumns,
  type PlaceParams,
  placeParams,
  placeParamTypes,
  rowFor,
} from './posts.queries.ts'
import {
  hasPlanOf,
  isBusinessNotMuted,
  isBusinessPostVisible,
  isBusinessVisible,
  isInFeeds,
  isListed,
  isLocked,
  isPersonNotMuted,
  isTypeVisible,
  type ReaderParams,
  readerBy,
  readerOf,
  readerParams,
  readerParamTypes,
  type Viewer,
} from './visible-posts.ts'

type BusinessType = NonNullable<FeedPost['business']>['type']

type FeedSelection = {
  type: BusinessType | null
  /** How many people and businesses the viewer follows. Determines only how the feed is read, so it may be slightly out of date. */
  followingCount: number
  after: After
  limit: number
}

/**
 * The newest posts by people and businesses a person follows, businesses they belong to, and themselves.
 *
 * The cost grows with the number of follows, not of posts: an index lookup finds the newest posts of each source.
 */
export async function feedRows(db: Db, viewer: Viewer, { type, followingCount, after, limit }: FeedSelection): Promise<ListedRow[]> {
  const step = steps.find((each) => each >= limit) ?? limit
  const rows = await feedStatement({
    // Most viewers are of age everywhere and view all types. Skipping the businesses table halves the cost for them.
    asksBusinesses: type !== null || !openPlacesFor(viewer.age).everywhere,
    hasPlan: hasPlanOf(viewer),
    hasManySources: followingCount > step,
    step,
  })(db, { ...readerParams(viewer), ...placeParams(after), type })
  return rows.slice(0, limit)
}

type FeedParams = ReaderParams & PlaceParams & { type: BusinessType | null }

/** Each variant is a separate statement, because PostgreSQL wouldn't reuse its plan if a parameter decided what to read. */
type FeedVariant = { asksBusinesses: boolean; hasPlan: boolean; hasManySources: boolean; step: number }

const feedStatements = new Map<string, ReturnType<typeof makeFeedStatement>>()

function feedStatement(variant: FeedVariant) {
  const key = `${variant.asksBusinesses} ${variant.hasPlan} ${variant.hasManySources} ${variant.step}`
  const statement = feedStatements.get(key) ?? makeFeedStatement(variant)
  feedStatements.set(key, statement)
  return statement
}

const makeFeedStatement = (variant: FeedVariant) =>
  compileShared<FeedParams, ListedRow>(
    { ...readerParamTypes, ...placeParamTypes, type: 'text' },
    selectFeed(variant),
    sql`answer.created_at desc, answer.post_id desc`,
  )

const selectFeed =
  ({ asksBusinesses, hasPlan, hasManySources, step }: FeedVariant) =>
  (_db: Db, { type, ...slots }: Slots<FeedParams>) => {
    const reader = readerBy(slots, hasPlan)
    // A literal from a small set: with a parameter, PostgreSQL would plan to read a tenth of all posts.
    const max = sql.lit(step)
    const newestFirst = sql`order by posts.created_at desc, posts.id desc`
    const ofBusiness = (source: string) => sql`
      select ${listedColumns} from posts
      where posts.business_id = ${sql.ref(`${source}.business_id`)} and posts.moderation is null
        and ${isTypeVisible({ isOfAge: sql.ref<boolean>(`${source}.is_of_age`) })} and ${isBefore(slots)} and ${isInFeeds(reader)}
      ${newestFirst}`
    const ofPerson = (source: string) => sql`
      select ${listedColumns} from posts
      where posts.author_id = ${sql.ref(`${source}.person_id`)} and posts.business_id is null and ${isListed} and ${isBefore(slots)}
        and ${isInFeeds(reader)}
      ${newestFirst}`
    const ofType = asksBusinesses ? sql`(${type}::text is null or businesses.type = ${type}::text)` : sql`true`
    // Held posts appear only in their owners' lists. There are only a few.
    const isHeld = sql`posts.moderation = 'held' and posts.community_id is null and ${isBefore(slots)}`
    // Only the sources with the newest posts can be on the page, so if there are more sources than posts on a page, the newest post of each
    // source is looked up first.
    const newestSources = sql`, newest_sources as materialized (
      select source.business_id, source.is_of_age, null::uuid as person_id, newest.created_at, newest.id
      from business_sources source cross join lateral (${ofBusiness('source')} limit 1) as newest
      union all
      select null, null, source.person_id, newest.created_at, newest.id
      from person_sources source cross join lateral (${ofPerson('source')} limit 1) as newest
      order by created_at desc, id desc
      limit ${max})`
    const [businessSources, personSources] = hasManySources
      ? [
          sql`(select business_id, is_of_age from newest_sources where business_id is not null)`,
          sql`(select person_id from newest_sources where person_id is not null)`,
        ]
      : [sql`business_sources`, sql`person_sources`]
    return sql<ListedRow>`
    with business_sources as materialized (
      select near.business_id, ${asksBusinesses ? reader.isOfAge : sql`true`} as is_of_age
      from (
        select business_id from business_follows where user_id = ${reader.id}
        union select business_id from business_members where user_id = ${reader.id}) as near
      ${asksBusinesses ? sql`join businesses on businesses.id = near.business_id and ${ofType}` : sql``}
      where ${isBusinessVisible(reader, sql`near.business_id`)} and ${isBusinessNotMuted(reader, sql`near.business_id`)}
    ), person_sources as materialized (
      select near.person_id
      from (select person_id from person_follows where follower_id = ${reader.id} union all select ${reader.id}) as near
      where ${type}::text is null and ${isNotBlocked(reader.id, sql`near.person_id`)}
        and ${isPersonNotMuted(reader, sql`near.person_id`)}
    )${hasManySources ? newestSources : sql``}
    select ${rowFor(reader)}
    from (
      select page.* from ${businessSources} as source cross join lateral (${ofBusiness('source')} limit ${max}) as page
      union all
      select page.* from ${personSources} as source cross join lateral (${ofPerson('source')} limit ${max}) as page
      union all
      select ${listedColumns} from posts
      where posts.author_id = ${reader.id} and posts.business_id is null and ${type}::text is null and ${isHeld}
      union all
      select ${listedColumns} from business_members join posts on posts.business_id = business_members.business_id and ${isHeld}
        ${asksBusinesses ? sql`join businesses on businesses.id = posts.business_id and ${ofType}` : sql``}
      where business_members.user_id = ${reader.id}
      order by created_at desc, id desc
      limit ${max}) as posts
    ${newestFirst}`
  }

/** One more than the lengths of a short, a typical and the longest page. */
const steps = [21, 51, 101]

type SuggestionSelection = {
  type: BusinessType | null
  /** Posts by businesses in this area come first. */
  area: Area | null
  now: Date
  manyLikes: number
  limit: number
}

/**
 * Recent posts of businesses that the person neither follows nor belongs to, ranked by likes and comments with a half-life of three days,
 * at most two per business.
 *
 * Candidates are a fixed number of the newest posts overall, of trending businesses and of those nearby, so that the cost doesn't grow
 * with the site.
 */
export async function suggestedPosts(db: Db, viewer: Viewer, { type, area, now, manyLikes, limit }: SuggestionSelection) {
  const reader = readerOf(viewer)
  const daysBefore = (days: number) => new Date(now.getTime() - days * dayMs)
  const monthAgo = sql`${daysBefore(30)}::timestamptz`
  const { rows } = await sql<{ id: string; is_near: boolean; is_liked_by_many: boolean }>`
    with pool as (
      (select posts.id from posts where posts.created_at > ${monthAgo} and posts.business_id is not null and ${isListed} and not posts.is_exclusive
      order by posts.created_at desc, posts.id desc limit 300)
      union
      select lively.id
      from (select business_id from business_trends order by score desc, business_id desc limit 50) as trends
      cross join lateral (
        select posts.id from posts
        where posts.business_id = trends.business_id and posts.moderation is null and posts.created_at > ${monthAgo} and not posts.is_exclusive
        order by posts.created_at desc, posts.id desc limit 4) as lively
      ${area ? nearbyPosts(area, monthAgo) : sql``}
    ), ranked as (
      select posts.id, posts.business_id, ${area ? isInArea(area) : sql`false`} as is_near,
        (posts.likes_count + posts.comments_count + 1)
          * power(0.5::double precision, extract(epoch from ${now}::timestamptz - posts.created_at)::double precision / 259200) as score
      from pool join posts on posts.id = pool.id join businesses on businesses.id = posts.business_id
      where (${type}::text is null or businesses.type = ${type}::text)
        and ${isBusinessPostVisible(reader)} and not ${isLocked(reader)}
        and posts.created_at <= ${now}::timestamptz
        and ${isInFeeds(reader)} and ${isBusinessNotMuted(reader, sql`posts.business_id`)}
        and not exists (
          select 1 from business_follows where business_follows.user_id = ${reader.id} and business_follows.business_id = posts.business_id)
        and not exists (
          select 1 from business_members where business_members.user_id = ${reader.id} and business_members.business_id = posts.business_id)
    ), placed as (
      select id, score, is_near, row_number() over (partition by business_id order by score desc, id desc) as place from ranked
    ), best as (
      select id, score, is_near from placed where place <= 2 order by is_near desc, score desc, id desc limit ${limit}
    )
    select best.id, best.is_near, (
      select count(*) from (
        select 1 from post_likes where post_likes.post_id = best.id and post_likes.created_at > ${daysBefore(7)}::timestamptz
        limit ${manyLikes}) as recent) >= ${manyLikes} as is_liked_by_many
    from best order by best.is_near desc, best.score desc, best.id desc`.execute(db)
  return rows
}

/** Only businesses that someone runs have posts, and a city has few of those. */
const nearbyPosts = (area: Area, since: RawBuilder<unknown>) => sql`
      union
      select local.id
      from (
        select id from businesses where (claimed_at is not null or is_demo) and ${isInArea(area)}
        order by rating_score desc, id desc limit 100) as nearby
      cross join lateral (
        select posts.id from posts
        where posts.business_id = nearby.id and posts.moderation is null and posts.created_at > ${since} and not posts.is_exclusive
        order by posts.created_at desc, posts.id desc limit 4) as local`
