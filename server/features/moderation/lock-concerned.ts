import { sql } from 'kysely'
import type { Role } from '#contracts/accounts.ts'
import type { Tx } from '#server/db/connect.ts'
import { lockPeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'

type Concerned = {
  communityId: string | null
  businessId: string | null
  people: readonly (string | null)[]
  subject: string
  subjectId: string
}

/**
 * Locks everything a decision may change, in the global write order: community, business, people, then every case of the subject, which
 * serializes concurrent decisions. The subject itself is locked afterward.
 */
export async function lockConcerned(tx: Tx, { communityId, businessId, people, subject, subjectId }: Concerned): Promise<void> {
  if (communityId !== null) await tx.selectFrom('communities').select('id').where('id', '=', communityId).forUpdate().execute()
  if (businessId !== null) await tx.selectFrom('businesses').select('id').where('id', '=', businessId).forNoKeyUpdate().execute()
  await lockPeople(
    tx,
    people.filter((id) => id !== null),
  )
  await sql`select from moderation_cases where subject = ${subject} and subject_id = ${subjectId}::uuid order by id for update`.execute(tx)
}

const rank: Record<Role, number> = { member: 0, moderator: 1, admin: 2 }

/**
 * Re-reads what an actor may do, with the account locked (`lockConcerned`). If two admins ban each other or one demotes the other at the
 * same moment, only the first succeeds, so an admin always remains.
 * @throws AppError suspended
 */
export async function asOfNow(tx: Tx, actor: Actor, now: Date): Promise<Actor> {
  const account = await tx
    .selectFrom('users')
    .select(['role', 'suspended_until', 'banned_at'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  if (account.banned_at !== null || (account.suspended_until !== null && account.suspended_until > now)) throw new AppError('suspended')
  return { ...actor, role: rank[account.role] < rank[actor.role] ? account.role : actor.role, grantedRole: account.role }
}
