import { sql } from 'kysely'
import type { HuntAccess } from '#contracts/hunts.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { ownAndSharedHunts } from '#server/features/hunts/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'

/** BrAPI represents a hunt as a trial in its owner's program. */
export type GrownHunt = {
  id: Authorized<'hunts'>
  access: HuntAccess
  ownerId: string
  ownerName: string
  name: string
  breeders: readonly string[]
  goals: string
  environment: string
  startedOn: string | null
  completedOn: string | null
  isActive: boolean
}

/** Includes hunts shared with the person. */
export async function huntsOf(db: Db, actor: Actor): Promise<GrownHunt[]> {
  const accessible = await ownAndSharedHunts(db, actor)
  if (accessible.length === 0) return []
  const rows = await db
    .selectFrom('hunts')
    .select(['id', 'owner_id', 'hunt_name', 'breeders', 'goals', 'grow_environment', 'germination_date', 'completed_on', 'is_active'])
    .where(sql<boolean>`id = ${pageIds(accessible.map(({ id }) => id))}`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const people = await visiblePeople(
    db,
    actor.id,
    rows.map((row) => row.owner_id),
  )
  return accessible.flatMap(({ id, access }) => {
    const row = byId.get(id)
    if (!row) return []
    return {
      id,
      access,
      ownerId: row.owner_id,
      ownerName: people.get(row.owner_id)?.name ?? 'A grower',
      name: row.hunt_name,
      breeders: row.breeders,
      goals: row.goals,
      environment: row.grow_environment,
      startedOn: row.germination_date,
      completedOn: row.completed_on,
      isActive: row.is_active,
    }
  })
}

export const idsOfHunts = (hunts: readonly GrownHunt[]): string[] => hunts.map(({ id }) => id)

/** The hunt of each given plant that the person can edit. */
export async function huntsOfPlants(db: Db, hunts: readonly GrownHunt[], plantIds: readonly string[]): Promise<Map<string, string>> {
  const editable = hunts.filter(({ access }) => access !== 'view')
  const plants = await db
    .selectFrom('plants')
    .select(['id', 'hunt_id'])
    .where(sql<boolean>`id = ${pageIds(plantIds)} and hunt_id = ${pageIds(idsOfHunts(editable))}`)
    .execute()
  return new Map(plants.map(({ id, hunt_id }) => [id, hunt_id]))
}

export const programOf = (hunt: GrownHunt) => ({ programDbId: hunt.ownerId, programName: hunt.ownerName })
export const trialOf = (hunt: GrownHunt) => ({ trialDbId: hunt.id, trialName: hunt.name })

/** Observations belong to the run that the plant was in or, without one, to the hunt's own study, which has the hunt's ID. */
export const studyIdOf = ({ hunt_id, run_id }: { hunt_id: string; run_id: string | null }): string => run_id ?? hunt_id
