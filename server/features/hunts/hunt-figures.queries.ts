import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { idsApart } from '#server/db/these-ids.ts'

export type HuntFigures = {
  hunt_id: string
  genotypes: number
  living_plants: number
  logs: number
  keepers: number
  culled: number
  vegetative_on: string | null
  flower_on: string | null
  harvested_on: string | null
  dried_on: string | null
}

const firstLogged = (...stages: string[]) => sql`(
  select min(grow_logs.logged_on) from grow_logs
  where grow_logs.hunt_id = wanted.id and grow_logs.stage = any(${stages}::text[]) and grow_logs.deleted_at is null)`

/** Current counts of these hunts, and when their stages began. The caller must have checked access. */
export async function huntFigures(db: Db, ids: readonly string[]): Promise<Map<string, HuntFigures>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<HuntFigures>`
    select wanted.id as hunt_id, of_genotypes.*, of_plants.*, of_logs.*,
      ${firstLogged('vegetative')} as vegetative_on,
      least(${firstLogged('flower')}, (select min(runs.flowered_on) from runs where runs.hunt_id = wanted.id)) as flower_on,
      (select min(harvests.harvested_on) from harvests where harvests.hunt_id = wanted.id) as harvested_on,
      coalesce(${firstLogged('drying')}, ${firstLogged('curing')}) as dried_on
    from unnest(${idsApart(ids)}) as wanted (id)
      cross join lateral (
        select count(*)::integer as genotypes, count(*) filter (where standing in ('keep', 'breed'))::integer as keepers,
          count(*) filter (where standing = 'cull')::integer as culled
        from genotypes where genotypes.hunt_id = wanted.id) as of_genotypes
      cross join lateral (
        select count(*) filter (where ended_on is null)::integer as living_plants
        from plants where plants.hunt_id = wanted.id) as of_plants
      cross join lateral (
        select count(*)::integer as logs from grow_logs where grow_logs.hunt_id = wanted.id and deleted_at is null) as of_logs`.execute(db)
  return new Map(rows.map((row) => [row.hunt_id, row]))
}

export async function ownFigures(db: Db, personId: string) {
  const { rows } = await sql<{ active: number; completed: number; living_plants: number; keepers: number }>`
    with own as (select id, is_active from hunts where owner_id = ${personId}::uuid)
    select
      (select count(*) from own where is_active)::integer as active,
      (select count(*) from own where not is_active)::integer as completed,
      (select count(*) from plants join own on own.id = plants.hunt_id where ended_on is null)::integer as living_plants,
      (select count(*) from genotypes join own on own.id = genotypes.hunt_id where standing in ('keep', 'breed'))::integer as keepers`.execute(
    db,
  )
  return rows[0] ?? { active: 0, completed: 0, living_plants: 0, keepers: 0 }
}
