import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { lockPeople } from '#server/features/people/index.ts'

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
