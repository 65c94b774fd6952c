import { sql } from 'kysely'
import type { Person } from '../../../contracts/people.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { bylineColumns, isAcquainted, isNamed, isNotBlocked, sortName, toPerson } from '../people/index.ts'
import { isBanned, isInvited, requireCommunity } from './community-access.ts'

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
  const at = sql<Date>`${now}::timestamptz`
  const rows = await db
    .selectFrom('users')
    .select(bylineColumns)
    .where(isAcquainted(own))
    .where(isNotBlocked(own, sql`users.id`))
    .where(
      sql<boolean>`not exists (select from community_members
        where community_members.community_id = ${community} and community_members.user_id = users.id)`,
    )
    .where(sql<boolean>`not ${isInvited(sql`users.id`, community, at)}`)
    .where(sql<boolean>`not ${isBanned(sql`users.id`, community, at)}`)
    .where(isNamed(query.search))
    .orderBy(sortName)
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
    select ${isAcquainted(own)} as is_acquainted
    from users where users.id = ${personId}::uuid and ${isNotBlocked(own, sql`users.id`)}`.execute(tx)
  const [person] = rows
  if (!person) throw notFound('This person is not here, or not visible to you.')
  if (!person.is_acquainted) {
    throw new AppError('forbidden', { message: 'You can invite people you follow and people who follow you.' })
  }
}
