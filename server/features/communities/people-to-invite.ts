import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../../../contracts/people.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { bylineColumns, isNotBlocked, toPerson } from '../people/index.ts'
import { isBanned, requireCommunity } from './community-access.ts'

/** The name that others read, and nothing else: nobody is found by a name that they hide. */
const name = sql`lower(coalesce(nullif(trim(users.display_name), ''), concat_ws(' ', trim(users.first_name), trim(users.last_name))))`

/** By the beginning of the name or of a word in it. */
export function isNamed(search: string): RawBuilder<boolean> {
  const beginning = `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(users.profile_moderation is null and (${name} like ${beginning} or ${name} like ${`% ${beginning}`}))`
}

/** Who follows the actor or is followed, and could come in by an invitation. @throws AppError not_found, forbidden */
export async function suggestPeopleToInvite(
  db: Db,
  actor: Actor,
  communityId: string,
  query: { search: string; limit: number },
  now: Date,
): Promise<Person[]> {
  await requireCommunity(db, actor, communityId, 'moderate', now)
  const own = sql`${actor.id}::uuid`
  const community = sql`${communityId}::uuid`
  const rows = await db
    .selectFrom('users')
    .select(bylineColumns)
    .where(
      sql<boolean>`users.id in (
        select person_id from person_follows where follower_id = ${own}
        union select follower_id from person_follows where person_id = ${own})`,
    )
    .where(isNotBlocked(own, sql`users.id`))
    .where(
      sql<boolean>`not exists (select from community_members
        where community_members.community_id = ${community} and community_members.user_id = users.id)`,
    )
    .where(
      sql<boolean>`not exists (select from community_invitations
        where community_invitations.community_id = ${community} and community_invitations.invited_id = users.id
          and community_invitations.used_at is null and community_invitations.revoked_at is null
          and community_invitations.expires_at > ${now})`,
    )
    .where(sql<boolean>`not ${isBanned(sql`users.id`, community, sql<Date>`${now}::timestamptz`)}`)
    .where(isNamed(query.search))
    .orderBy(name)
    .orderBy('users.id')
    .limit(query.limit)
    .execute()
  return rows.map(toPerson)
}

/** Whether the person is somebody to invite at all: one of the two follows the other. @throws AppError not_found, forbidden */
export async function requireAcquaintance(tx: Tx, actorId: string, personId: string): Promise<void> {
  if (personId === actorId) throw new AppError('forbidden', { message: 'You are in this community already.' })
  const own = sql`${actorId}::uuid`
  const { rows } = await sql<{ is_acquainted: boolean }>`
    select exists (select from person_follows where follower_id = ${own} and person_id = users.id)
      or exists (select from person_follows where follower_id = users.id and person_id = ${own}) as is_acquainted
    from users where users.id = ${personId}::uuid and ${isNotBlocked(own, sql`users.id`)}`.execute(tx)
  const [person] = rows
  if (!person) throw notFound('This person is not here, or not visible to you.')
  if (!person.is_acquainted) {
    throw new AppError('forbidden', { message: 'You can invite people you follow and people who follow you.' })
  }
}
