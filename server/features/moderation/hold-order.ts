import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { lockPeople } from '../people/index.ts'

type Held = {
  communityId: string | null
  businessId: string | null
  people: readonly (string | null)[]
  subject: string
  subjectId: string
}

/**
 * Holds all that a decision about a thing may change, in the order of all writes: the community, the business, people, then every case
 * of the thing, behind which whoever else decides about it waits. The thing itself comes after.
 */
export async function holdInOrder(tx: Tx, { communityId, businessId, people, subject, subjectId }: Held): Promise<void> {
  if (communityId !== null) await tx.selectFrom('communities').select('id').where('id', '=', communityId).forUpdate().execute()
  if (businessId !== null) await tx.selectFrom('businesses').select('id').where('id', '=', businessId).forNoKeyUpdate().execute()
  await lockPeople(
    tx,
    people.filter((id) => id !== null),
  )
  await sql`select from moderation_cases where subject = ${subject} and subject_id = ${subjectId}::uuid order by id for update`.execute(tx)
}
