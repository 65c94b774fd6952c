import { type RawBuilder, sql } from 'kysely'
import type { Person } from '#contracts/people.ts'
import type { Db } from '#server/db/connect.ts'
import type { IsForEveryone, MayReadMedia } from '#server/features/media/index.ts'
import { hasRole } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { bylineColumns, toPerson } from './byline.ts'

/** SQL: neither person has blocked the other. */
export const isNotBlocked = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql<boolean>`(
  not exists (select 1 from person_blocks where person_blocks.blocker_id = ${one} and person_blocks.blocked_id = ${other})
  and not exists (select 1 from person_blocks where person_blocks.blocker_id = ${other} and person_blocks.blocked_id = ${one}))`

/** SQL: neither the viewer nor the person in `column` (such as `reviews.user_id`) has blocked the other. Visitors have no blocks. */
export const notBlocked = (viewerId: string | null, column: string): RawBuilder<boolean> =>
  viewerId === null ? sql<boolean>`true` : isNotBlocked(sql`${viewerId}::uuid`, sql.ref(column))

/** SQL: the person in `column` hasn't blocked the viewer. The viewer may have blocked them and can still report them. */
export const notBlockedBy = (viewerId: string, column: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from person_blocks where blocker_id = ${sql.ref(column)} and blocked_id = ${viewerId})`

export function businessNotBlocked(viewerId: string | null, column: string): RawBuilder<boolean> {
  if (viewerId === null) return sql<boolean>`true`
  return sql<boolean>`not exists (select from business_blocks where user_id = ${viewerId} and business_id = ${sql.ref(column)})`
}

/** SQL: the number of businesses a person follows that moderators have hidden. `users.following_count` includes them, but lists don't. */
export const hiddenFollows = (personId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  select count(*)::integer from business_follows join businesses on businesses.id = business_follows.business_id
  where business_follows.user_id = ${personId} and businesses.moderation is not null)`

/**
 * SQL: a business has blocked a person, either as a team or through its owner, who is behind the business's replies. The owner's personal
 * blocks don't keep its team from working.
 */
export const isBlockedByBusiness = (personId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from business_person_blocks shut
    where shut.business_id = ${businessId} and shut.person_id = ${personId})
  or exists (select from business_members owning join person_blocks on person_blocks.blocker_id = owning.user_id
    where owning.business_id = ${businessId} and owning.role = 'owner' and person_blocks.blocked_id = ${personId}
      and not exists (select from business_members helping where helping.business_id = ${businessId} and helping.user_id = ${personId})))`

export type VisiblePerson = { id: string; isPublic: boolean; isSelf: boolean }

/** SQL: neither the viewer nor the business in `column`, as a team or through its owner, has blocked the other. */
export const noBlockWithBusiness = (viewerId: string, column: string): RawBuilder<boolean> =>
  sql<boolean>`(${businessNotBlocked(viewerId, column)} and not ${isBlockedByBusiness(sql`${viewerId}::uuid`, sql.ref(column))})`

/** A block in either direction looks like a missing account. */
export async function requireVisiblePerson(db: Db, viewerId: string, personId: string): Promise<VisiblePerson> {
  const person = await db
    .selectFrom('users')
    .select(['id', sql<boolean>`(is_profile_public and profile_moderation is null)`.as('is_public')])
    .where('id', '=', personId)
    .where(notBlocked(viewerId, 'users.id'))
    .executeTakeFirst()
  if (!person) throw notFound('This person can’t be found or isn’t visible to you.')
  return { id: person.id, isPublic: person.is_public, isSelf: person.id === viewerId }
}

/** The lists on a profile that is private or hidden by moderators are visible only to its owner. */
export async function requireOpenProfile(db: Db, viewerId: string, personId: string): Promise<VisiblePerson> {
  const person = await requireVisiblePerson(db, viewerId, personId)
  if (!person.isPublic && !person.isSelf) throw new AppError('forbidden', { message: 'This profile is private.' })
  return person
}

/** Omits people who are missing or separated from the viewer by a block. */
export async function visiblePeople(db: Db, viewerId: string, ids: readonly (string | null)[]): Promise<Map<string, Person>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(bylineColumns)
    .where(sql<boolean>`users.id = any(${wanted}::uuid[])`)
    .where(isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`))
    .execute()
  return new Map(rows.map((row) => [row.id, toPerson(row)]))
}

/**
 * SQL: the `users` row may act through a key or another connection: the person isn't banned, suspended or deleting their account. Demo
 * accounts have a public password, so their keys work only if the site is reachable only from this machine.
 */
export const isAccountActive = ({ clock, config }: Pick<Context, 'clock' | 'config'>): RawBuilder<boolean> => sql<boolean>`(
  users.banned_at is null and users.leaves_at is null and coalesce(users.suspended_until <= ${clock.now()}::timestamptz, true)
  and (${config.isOnThisMachine}::boolean or not users.is_demo))`

/** SQL: a portrait is public while the profile is public and moderators haven't hidden it. */
export const isPortraitShown: IsForEveryone = (personId) => sql<boolean>`exists (
  select from users where users.id = ${personId} and users.is_profile_public and users.profile_moderation is null)`

/** A portrait that isn't public may be read only by the person and moderators. */
export const mayReadPortrait: MayReadMedia = async (_db, actor, personIds) => hasRole(actor, 'moderator') || personIds.includes(actor.id)
