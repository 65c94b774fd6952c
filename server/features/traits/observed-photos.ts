import { sql } from 'kysely'
import { theseIds } from '../../db/these-ids.ts'
import { huntAccess } from '../hunts/index.ts'
import type { MayReadMedia } from '../media/index.ts'

/** The photo of an observation, of a corrected one too, is for those who may see its hunt. */
export const mayReadObservedPhoto: MayReadMedia = async (db, actor, observationIds) => {
  const observation = await db
    .selectFrom('observations')
    .innerJoin('hunts', 'hunts.id', 'observations.hunt_id')
    .select('observations.id')
    .where(sql<boolean>`observations.id = ${theseIds(observationIds)}`)
    .where(sql<boolean>`${huntAccess(sql`${actor.id}::uuid`)} is not null`)
    .executeTakeFirst()
  return observation !== undefined
}
