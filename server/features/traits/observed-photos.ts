import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { huntAccess } from '../hunts/index.ts'

/** Whether somebody may see the photo of an observation: those who may see its hunt, also one that was corrected. */
export async function mayReadObservedPhoto(db: Db, actor: Actor | null, mediaId: string): Promise<'allowed' | 'denied' | 'unattached'> {
  const observation = await db
    .selectFrom('observations')
    .innerJoin('hunts', 'hunts.id', 'observations.hunt_id')
    .select((actor ? huntAccess(sql`${actor.id}::uuid`) : sql<null>`null`).as('access'))
    .where('observations.media_id', '=', mediaId)
    .executeTakeFirst()
  if (!observation) return 'unattached'
  return observation.access === null ? 'denied' : 'allowed'
}
