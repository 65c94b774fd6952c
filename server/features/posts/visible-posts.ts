import { type RawBuilder, sql } from 'kysely'
import type { PostType } from '../../../contracts/posts.ts'
import { asksPrice, hasPlanWith } from '../billing/index.ts'
import { readsCommunity } from '../communities/index.ts'
import { openPlacesFor } from '../jurisdictions/index.ts'
import { isNotBlocked } from '../people/index.ts'
import type { Viewer } from './viewer.ts'

/**
 * Who may see a post, and what of it. There is no other place that says so: lists, single reads, the feed, suggestions, comments,
 * likes, notifications, media and exports all ask here.
 *
 * The fragments speak of the tables `posts` and, for a business's post, `businesses` by these names:
 * `from posts left join businesses on businesses.id = posts.business_id`.
 */

/** Posts that advertise: only for readers of the jurisdiction's age. */
export const advertising: readonly PostType[] = ['promotion', 'product']

/** A reader as a query knows one: one of them by parameters, or many by the columns of a table. */
export type Reader = {
  /** Null for a visitor. */
  id: RawBuilder<string | null>
  /** Whether advertising of the row's business may be shown to them. */
  isOfAge: RawBuilder<boolean>
  /** Whether their plan opens the exclusive posts of businesses that ask no price. */
  opensUnpriced: RawBuilder<boolean>
  /** When they read: what runs until then is measured by it. */
  now: RawBuilder<Date>
}

/** What decides whether a post is there for a reader at all. */
type Sighted = Pick<Reader, 'id' | 'isOfAge' | 'now'>

/** What a query has to know of one reader. */
export type ReaderParams = { viewerId: string | null; now: Date | null; everywhere: boolean; open: string[]; closed: string[] }
export const readerParamNames = ['viewerId', 'now', 'everywhere', 'open', 'closed'] as const satisfies (keyof ReaderParams)[]

export function readerParams(viewer: Viewer | null): ReaderParams {
  return { viewerId: viewer?.id ?? null, now: viewer?.now ?? null, ...openPlacesFor(viewer?.age ?? null) }
}

/** Whether a query has to ask what the viewer's plan opens. */
export const hasPlanOf = (viewer: Viewer | null): boolean => viewer?.hasPlan ?? false

type ReaderSlots = { [Name in keyof ReaderParams]: RawBuilder<ReaderParams[Name]> }

/** A reader by parameters, wherever their values come from. */
export function readerBy({ viewerId, now, everywhere, open, closed }: ReaderSlots, hasPlan: boolean): Reader {
  const place = sql`(businesses.country || ' ' || coalesce(businesses.state, ''))`
  return {
    id: sql`${viewerId}::uuid`,
    isOfAge: sql`(${everywhere}::boolean or ${place} = any(${open}::text[])
      or ((businesses.country || ' ') = any(${open}::text[]) and ${place} <> all(${closed}::text[])))`,
    // It names no row, so the database answers it once a query, and only where an exclusive post asks.
    opensUnpriced: hasPlan ? hasPlanWith('exclusive_posts', sql`${viewerId}::uuid`, now) : sql<boolean>`false`,
    now: sql`${now}::timestamptz`,
  }
}

/** One reader. The text of the query is the same for all with a plan, and for all without, so that it is planned once. */
export function readerOf(viewer: Viewer | null): Reader {
  const { viewerId, now, everywhere, open, closed } = readerParams(viewer)
  const slots = { viewerId: sql<string>`${viewerId}`, now: sql<Date>`${now}`, everywhere: sql<boolean>`${everywhere}` }
  return readerBy({ ...slots, open: sql<string[]>`${open}`, closed: sql<string[]>`${closed}` }, hasPlanOf(viewer))
}

/** Whether a business's posts are anywhere for the reader: not where they blocked it, nor, but for its team, where moderators hid it. */
export const isBusinessVisible = (
  { id }: Pick<Reader, 'id'>,
  businessId: RawBuilder<unknown> = sql`posts.business_id`,
) => sql<boolean>`(not exists (
  select 1 from business_blocks where business_blocks.user_id = ${id} and business_blocks.business_id = ${businessId})
  and not exists (select 1 from businesses taken where taken.id = ${businessId} and taken.moderation is not null
    and not ${isMember(id, sql`taken.id`)}))`

/** Whether a post of this type is for the reader: advertising is for those of age. */
export const isTypeVisible = ({ isOfAge }: Pick<Reader, 'isOfAge'>) =>
  sql<boolean>`(posts.post_type not in ('promotion', 'product') or coalesce(${isOfAge}, false))`

/** Under a business's name. What reads many posts of one business asks the two questions apart, the first but once. */
export const isBusinessPostVisible = (reader: Pick<Reader, 'id' | 'isOfAge'>) =>
  sql<boolean>`(${isBusinessVisible(reader)} and ${isTypeVisible(reader)})`

/** Under somebody's own name: for members, unless one of the two has blocked the other. */
const isPersonPostVisible = ({ id }: Pick<Reader, 'id'>) => sql<boolean>`(${id} is not null and ${isNotBlocked(id, sql`posts.author_id`)})`

/** In a community: for whoever reads it, unless one of the two has blocked the other. */
const isCommunityPostVisible = (reader: Sighted) =>
  sql<boolean>`(${isPersonPostVisible(reader)} and ${readsCommunity(reader.id, sql`posts.community_id`, reader.now)})`

/**
 * What moderators took from view is there for those whose post it is, unless it was removed. Lists leave it out for everybody: they
 * ask for `posts.moderation is null`, which is in their indexes.
 */
const isShown = ({ id }: Pick<Reader, 'id'>) => sql<boolean>`(posts.moderation is null or (posts.moderation <> 'removed'
  and case when posts.business_id is null then posts.author_id = ${id} else ${isMember(id, sql`posts.business_id`)} end))`

/** Whether a post is in lists outside of its community. */
export const isListed = sql<boolean>`(posts.moderation is null and posts.community_id is null)`

/** Whether the post is there at all for the reader. Of a locked one that is so, too: its title is for everybody. */
export const isVisible = (reader: Sighted) =>
  sql<boolean>`(${isShown(reader)} and case
    when posts.community_id is not null then ${isCommunityPostVisible(reader)}
    when posts.business_id is null then ${isPersonPostVisible(reader)}
    else ${isBusinessPostVisible(reader)} end)`

/**
 * Exclusive, and the reader neither subscribes to the business, belongs to it, nor has a plan that opens it: the title is all there is
 * to see.
 */
export const isLocked = (reader: Pick<Reader, 'id' | 'opensUnpriced'>) =>
  sql<boolean>`(posts.is_exclusive and not ${subscribes(reader)} and not ${isMember(reader.id, sql`posts.business_id`)}
    and not (${reader.opensUnpriced} and not ${asksPrice(sql`posts.business_id`)}))`

/** Whether the reader subscribes to the post's business. */
export const subscribes = ({ id }: Pick<Reader, 'id'>) =>
  sql<boolean>`exists (select 1 from subscriptions where subscriptions.user_id = ${id} and subscriptions.business_id = posts.business_id)`

/** Visible, and every word of it. */
export const isOpen = (reader: Reader) => sql<boolean>`(${isVisible(reader)} and not ${isLocked(reader)})`

/** Whether a person belongs to a business; false where there is none. */
export const isMember = (userId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from business_members where business_members.user_id = ${userId} and business_members.business_id = ${businessId})`
