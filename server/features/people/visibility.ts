import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { AppError, notFound } from '../../kernel/errors.ts'

/** Neither of two people has blocked the other: what every read asks of whatever carries somebody's name. */
export const isNotBlocked = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql<boolean>`(
  not exists (select 1 from person_blocks where person_blocks.blocker_id = ${one} and person_blocks.blocked_id = ${other})
  and not exists (select 1 from person_blocks where person_blocks.blocker_id = ${other} and person_blocks.blocked_id = ${one}))`

/** The same of the viewer and the person in `column` (`reviews.user_id`). A visitor has blocked nobody. */
export const notBlocked = (viewerId: string | null, column: string): RawBuilder<boolean> =>
  viewerId === null ? sql<boolean>`true` : isNotBlocked(sql`${viewerId}::uuid`, sql.ref(column))

/** The person in `column` has not blocked the viewer, who may well have blocked them: whoever blocks somebody can still report them. */
export const notBlockedBy = (viewerId: string, column: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from person_blocks where blocker_id = ${sql.ref(column)} and blocked_id = ${viewerId})`

/** The viewer has not blocked the business in `column`. */
export function businessNotBlocked(viewerId: string | null, column: string): RawBuilder<boolean> {
  if (viewerId === null) return sql<boolean>`true`
  return sql<boolean>`not exists (select from business_blocks where user_id = ${viewerId} and business_id = ${sql.ref(column)})`
}

/** A business has blocked a person: its team in its name, or its owner personally, who is behind what the business answers. */
export const isShutOut = (personId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from business_person_blocks shut
    where shut.business_id = ${businessId} and shut.person_id = ${personId})
  or exists (select from business_members owning join person_blocks on person_blocks.blocker_id = owning.user_id
    where owning.business_id = ${businessId} and owning.role = 'owner' and person_blocks.blocked_id = ${personId}))`

export type VisiblePerson = { id: string; isPublic: boolean; isSelf: boolean }

/** Whoever is blocked, or has blocked, is as absent as who never was. @throws AppError not_found */
export async function requireVisiblePerson(db: Db, viewerId: string, personId: string): Promise<VisiblePerson> {
  const person = await db
    .selectFrom('users')
    .select(['id', 'is_profile_public'])
    .where('id', '=', personId)
    .where(notBlocked(viewerId, 'users.id'))
    .executeTakeFirst()
  if (!person) throw notFound('This person is not here, or not visible to you.')
  return { id: person.id, isPublic: person.is_profile_public, isSelf: person.id === viewerId }
}

/** The lists of a person who may not be looked at are for themselves alone. @throws AppError not_found, forbidden */
export async function requireOpenProfile(db: Db, viewerId: string, personId: string): Promise<VisiblePerson> {
  const person = await requireVisiblePerson(db, viewerId, personId)
  if (!person.isPublic && !person.isSelf) throw new AppError('forbidden', { message: 'This profile is private.' })
  return person
}
