import { type RawBuilder, sql } from 'kysely'
import { shareUnits } from '#agronomy/analytes.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type HuntAccess, requireHuntOfRow } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { AppError } from '#server/kernel/errors.ts'

const columns = [
  'id',
  'hunt_id',
  'name',
  'kind',
  'source',
  'analyte',
  'unit',
  'options',
  'direction',
  'low',
  'high',
  'target',
  'weight',
  'heritability',
  'must',
  'from_stage',
  'to_stage',
  'is_expert',
  'position',
  'is_archived',
  'version',
] as const

export type TraitRow = Awaited<ReturnType<typeof traitRows>>[number]

export const traitRows = (db: Db, huntId: string) =>
  db
    .selectFrom('traits')
    .select(columns)
    .select(
      sql<number>`(select count(*) from observations
        where observations.hunt_id = traits.hunt_id and observations.trait_id = traits.id and is_current and not is_withdrawn)`.as(
        'values_count',
      ),
    )
    .where('hunt_id', '=', huntId)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Omits traits of other hunts. */
export const traitsById = async (db: Db, huntId: string, ids: readonly string[]) =>
  new Map(
    (
      await db
        .selectFrom('traits')
        .select(['id', 'kind', 'source', 'options'])
        .where('hunt_id', '=', huntId)
        .where(sql<boolean>`id = any(${ids}::uuid[])`)
        .execute()
    ).map((row) => [row.id, row]),
  )

const missing = {
  traits: 'Trait not found.',
  observations: 'Observation not found.',
  harvests: 'Harvest not found.',
  lab_results: 'Lab result not found.',
} as const

/**
 * Checks access to a row by its own ID and returns its hunt. Throws the same error for a missing row and one of a hunt hidden from the
 * actor.
 */
export async function requireThing(
  db: Db,
  actor: Pick<Actor, 'id'>,
  table: keyof typeof missing,
  id: string,
  wanted: HuntAccess,
  options: { lock?: 'share' | 'update' } = {},
): Promise<{ huntId: Authorized<'hunts'>; access: HuntAccess }> {
  const thing = await db.selectFrom(table).select('hunt_id').where('id', '=', id).executeTakeFirst()
  const hunt = await requireHuntOfRow(db, actor, thing, missing[table], wanted, options)
  return { huntId: hunt.id, access: hunt.access }
}

export const changedMeanwhile = (what: string) =>
  new AppError('conflict', { message: `This ${what} was changed in the meantime. Check the current version, and change it again.` })

/** SQL: the run a plant was in on a day, which is the latest one open on that day. Both arguments are column references. */
export const runOn = (plantId: string, day: string) => sql<string | null>`(
  select runs.id from placements join runs on runs.id = placements.run_id
  where placements.plant_id = ${sql.ref(plantId)}
    and coalesce(runs.started_on, '-infinity') <= ${sql.ref(day)} and coalesce(runs.ended_on, 'infinity') >= ${sql.ref(day)}
  order by runs.started_on desc nulls last, runs.id desc limit 1)`

/** Runs of given plants on given days, in the order of `placed`. */
export async function runsOn(tx: Tx, placed: readonly { plantId: string; on: string }[]): Promise<(string | null)[]> {
  if (placed.length === 0) return []
  const { rows } = await sql<{ run_id: string | null }>`
    select ${runOn('given.plant_id', 'given.day')} as run_id
    from unnest(${placed.map(({ plantId }) => plantId)}::uuid[], ${placed.map(({ on }) => on)}::date[])
      with ordinality as given (plant_id, day, place)
    order by given.place`.execute(tx)
  return rows.map((row) => row.run_id)
}

const percentOfUnit = (unit: RawBuilder<unknown>) =>
  sql`(${JSON.stringify(shareUnits)}::jsonb ->> lower(regexp_replace(${unit}, '\\s', '', 'g')))::numeric`

const figureOfLab = sql`coalesce(lab_results.value, lab_results.quantification_limit / 2)`

/**
 * SQL: the number that a row of `lab_results` counts as for a row of `traits`, in the trait's unit if it has one. Null if it can't be
 * converted.
 */
export const labFigure = sql`(
  case when traits.unit = '' or lower(trim(traits.unit)) = lower(trim(lab_results.unit)) then ${figureOfLab}
    else (${figureOfLab}::numeric * ${percentOfUnit(sql`lab_results.unit`)} / ${percentOfUnit(sql`traits.unit`)})::float8 end)`

/** How to find the run of a value that doesn't state one: see `runsOfPlants`. */
export type FindsRun = 'day' | 'placed' | 'jar'

/**
 * Like `runsOn`, for many values of a hunt, reading its runs once. A `jar` is tested or tasted after its run ended: it belongs to the run
 * of the plant's harvest, or to the last one that the plant was in. A value from a later `day` without a run also belongs to the harvest's
 * run. A value computed from logs or dates can't be assigned to a run individually. Outside of all runs, it belongs to the run that the
 * plant was `placed` in, which is the last one that had begun, or else the first to begin.
 */
export async function runsOfPlants(db: Db, huntId: string): Promise<(plantId: string, day: string, finds: FindsRun) => string | null> {
  const { rows } = await sql<{ plant_id: string; run_id: string; started_on: string | null; ended_on: string | null }>`
    select placements.plant_id, runs.id as run_id, runs.started_on, runs.ended_on
    from runs join placements on placements.run_id = runs.id
    where runs.hunt_id = ${huntId}::uuid
    order by runs.started_on desc nulls last, runs.id desc`.execute(db)
  const harvests = await db.selectFrom('harvests').select(['plant_id', 'run_id', 'harvested_on']).where('hunt_id', '=', huntId).execute()
  const harvested = new Map(harvests.map((harvest) => [harvest.plant_id, harvest]))
  const placed = Map.groupBy(rows, (row) => row.plant_id)
  const begunBy = (plantId: string, day: string) =>
    placed.get(plantId)?.filter(({ started_on }) => started_on === null || started_on <= day) ?? []
  const standingOn = (plantId: string, day: string) =>
    begunBy(plantId, day).find(({ ended_on }) => ended_on === null || ended_on >= day)?.run_id ?? null
  return (plantId, day, finds) => {
    const harvest = harvested.get(plantId)
    const grownIn = harvest ? (harvest.run_id ?? standingOn(plantId, harvest.harvested_on)) : null
    const ofDay = standingOn(plantId, day) ?? (harvest && harvest.harvested_on <= day ? grownIn : null)
    if (finds === 'day') return ofDay
    const nearest = begunBy(plantId, day)[0] ?? placed.get(plantId)?.at(-1)
    return (finds === 'jar' ? grownIn : null) ?? ofDay ?? nearest?.run_id ?? null
  }
}
