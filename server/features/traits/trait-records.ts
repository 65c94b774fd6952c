import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { maxTraitRecords } from '#contracts/limits.ts'
import type { TraitRecords } from '#contracts/observations.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Db } from '#server/db/connect.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { type FindsRun, labFigure, runsOfPlants } from './traits.queries.ts'

/** `readTraitRecords` in its wire format, with the observers' names for people who may write. */
export async function getTraitRecords(db: Db, actor: Actor, huntId: string): Promise<TraitRecords> {
  const { id, access } = await requireHunt(db, actor, huntId, 'view')
  const { answer, observers } = packed(await readTraitRecords(db, id), actor.id)
  return access === 'view' ? answer : { ...answer, names: await namesOf(db, actor, id, observers) }
}

/** Names of people, labs and the scorers of an imported hunt, but not of testers. */
async function namesOf(db: Db, actor: Actor, huntId: string, observers: readonly string[]): Promise<(string | null)[]> {
  const people = await visiblePeople(db, actor.id, observers.filter(isUuid))
  const labs = await db.selectFrom('lab_results').select('lab').distinct().where('hunt_id', '=', huntId).orderBy('lab').execute()
  const labNames = new Map(labs.map(({ lab }) => [lab.toLowerCase(), lab]))
  return observers.map((observer) => {
    if (isUuid(observer)) return people.get(observer)?.name ?? null
    return observer.startsWith(scorerPrefix) ? observer.slice(scorerPrefix.length) : (labNames.get(observer) ?? null)
  })
}

const scorerPrefix = 'scorer '

/**
 * The current values of a hunt's traits, except archived ones, newest first and up to a limit. Includes values derived from logs, clones'
 * dates, harvests, lab results and panels. Results below a lab's limit of quantification count as half of it (R. W. Hornung & L. D. Reed,
 * “Estimation of average concentration in the presence of nondetectable values”, 1990), because omitting them would favor plants with too
 * little to measure.
 */
export async function readTraitRecords(db: Db, huntId: Authorized<'hunts'>): Promise<{ records: TraitRecord[]; isComplete: boolean }> {
  const { rows } = await recordsQuery(huntId).execute(db)
  const shown = rows.slice(0, maxTraitRecords)
  // Runs are looked up in memory, because a join over tens of thousands of values took most of the query's time.
  const runOfPlant = shown.some(({ finds_run }) => finds_run !== null) ? await runsOfPlants(db, huntId) : () => null
  const plants = await db.selectFrom('plants').select(['id', 'genotype_id']).where('hunt_id', '=', huntId).execute()
  const genotypes = new Map(plants.map(({ id, genotype_id }) => [id, genotype_id]))
  const mediaIds = shown.flatMap(({ media_id }) => media_id ?? [])
  const media = await mediaOf(db, mediaIds)
  return {
    records: shown.map((row) => {
      const runId = row.finds_run === null ? row.run_id : runOfPlant(row.plant_id, row.on, row.finds_run)
      return toRecord(row, { genotypeId: genotypes.get(row.plant_id) as string, runId }, media)
    }),
    isComplete: rows.length <= maxTraitRecords,
  }
}

/** Sorts the newest day first and, within a day, the last record first. Returns one more than the limit. */
const recordsQuery = (huntId: string) => sql<RecordRow>`
  select * from (
    ${sql.join(
      sources.map((source) => sql`(${source(huntId)})`),
      sql` union all `,
    )}
  ) as records order by "on" desc, recorded_at desc, id desc limit ${maxTraitRecords + 1}`

type RecordRow = {
  trait_id: string
  plant_id: string
  run_id: string | null
  /** Set if no run was recorded. */
  finds_run: FindsRun | null
  on: string
  number: number | null
  date: string | null
  options: number[] | null
  media_id: string | null
  is_blind: boolean
  is_below_limit: boolean
  /** Equal in all records by the same person or lab. */
  observer: string | null
}

function toRecord(
  row: RecordRow,
  { genotypeId, runId }: { genotypeId: string; runId: string | null },
  media: Awaited<ReturnType<typeof mediaOf>>,
): TraitRecord {
  const photo = row.media_id === null ? undefined : media.get(row.media_id)
  return {
    traitId: row.trait_id,
    plantId: row.plant_id,
    genotypeId,
    runId,
    observer: row.observer,
    on: row.on,
    ...(row.number !== null && { number: row.number }),
    ...(row.date !== null && { date: row.date }),
    ...(row.options !== null && { options: row.options }),
    ...(photo && { photo }),
    ...(row.is_blind && { isBlind: true }),
    ...(row.is_below_limit && { isBelowLimit: true }),
  }
}

/** Compact format with each ID listed once. `observers`: who measured, in the order of their numbers. */
function packed(
  { records, isComplete }: { records: readonly TraitRecord[]; isComplete: boolean },
  readerId: string,
): { answer: TraitRecords; observers: string[] } {
  const plants = new Map<string, number>()
  const runs = new Map<string, number>()
  const observers = new Map<string, number>()
  const genotypes = new Map<string, string>()
  const traits = new Map<string, Map<number, TraitRecords['traits'][number]['measured'][number]>>()
  for (const { traitId, plantId, genotypeId, runId, observer, ...value } of records) {
    genotypes.set(plantId, genotypeId)
    const measured = traits.get(traitId) ?? new Map()
    traits.set(traitId, measured)
    const plant = placeOf(plants, plantId)
    const one = measured.get(plant) ?? { plant, values: [] }
    measured.set(plant, one)
    one.values.push({
      ...value,
      ...(runId !== null && { run: placeOf(runs, runId) }),
      ...(observer !== null && { by: placeOf(observers, observer) }),
    })
  }
  const me = observers.get(readerId)
  const answer = {
    ...(me !== undefined && { me }),
    plants: [...plants.keys()].map((plantId) => ({ plantId, genotypeId: genotypes.get(plantId) as string })),
    runIds: [...runs.keys()],
    traits: [...traits].map(([traitId, measured]) => ({ traitId, measured: [...measured.values()] })),
    isComplete,
  }
  return { answer, observers: [...observers.keys()] }
}

function placeOf(places: Map<string, number>, id: string): number {
  const place = places.get(id) ?? places.size
  places.set(id, place)
  return place
}

type Source = (huntId: string) => RawBuilder<unknown>

const traitsFrom = (huntId: string, ...sources: string[]) =>
  sql`traits.hunt_id = ${huntId}::uuid and not traits.is_archived and traits.source = any(${sources}::text[])`

const observed: Source = (huntId) => sql`
  select observations.trait_id, observations.plant_id, observations.run_id,
    case when observations.run_id is null then 'day' end as finds_run, observed_on as "on",
    value_number as number, value_date as date, value_options as options, media_id, is_blind, false as is_below_limit,
    coalesce(observed_by::text, 'scorer ' || scorer) as observer, observations.created_at as recorded_at, observations.id
  from observations
  join traits on traits.id = observations.trait_id and ${traitsFrom(huntId, 'observation', 'rooting_days')}
  where observations.hunt_id = ${huntId}::uuid and is_current and not is_withdrawn`

/** Panel scores count only after the panel closes: an open panel is blind even to its organizers. */
const tasted: Source = (huntId) => sql`
  select panel_scores.trait_id, panel_jars.plant_id, null::uuid, 'jar', answered_day,
    panel_scores.value_number, null::date, panel_scores.value_options, null::uuid, true, false,
    case when taster = '' then 'card ' || panel_cards.id else 'taster ' || blind_panels.id || ' ' || lower(taster) end, answered_at, panel_cards.id
  from blind_panels
  join panel_jars on panel_jars.panel_id = blind_panels.id
  join (select *, (answered_at at time zone 'UTC')::date as answered_day from panel_cards) as panel_cards on panel_cards.jar_id = panel_jars.id
  join panel_scores on panel_scores.card_id = panel_cards.id
  join traits on traits.id = panel_scores.trait_id and ${traitsFrom(huntId, 'observation')}
  where blind_panels.hunt_id = ${huntId}::uuid and not blind_panels.is_open`

/** Values from logs: the last height of a plant, and all of its ratings. */
const logged: Source = (huntId) => sql`
  select traits.id, grow_logs.plant_id, null::uuid, 'placed', grow_logs.logged_on,
    case traits.source when 'log_height' then grow_logs.height_cm else grow_logs.rating end, null::date, null::integer[], null::uuid,
    false, false, coalesce(grow_logs.author_id::text, 'scorer ' || grow_logs.scorer), grow_logs.created_at, grow_logs.id
  from traits
  join grow_logs on grow_logs.hunt_id = traits.hunt_id and grow_logs.deleted_at is null and grow_logs.plant_id is not null
    and case traits.source when 'log_height' then grow_logs.height_cm is not null else grow_logs.rating is not null end
  where ${traitsFrom(huntId, 'log_height', 'log_rating')}
    and (traits.source = 'log_rating' or not exists (
      select from grow_logs as later
      where later.plant_id = grow_logs.plant_id and later.deleted_at is null and later.height_cm is not null
        and (later.logged_on, later.created_at, later.id) > (grow_logs.logged_on, grow_logs.created_at, grow_logs.id)))`

/** The dates of clones. A recorded value replaces the one from its plant's dates. */
const rooted: Source = (huntId) => sql`
  select traits.id, plants.id, null::uuid, 'placed', plants.rooted_on, plants.rooted_on - plants.cut_on, null::date, null::integer[],
    null::uuid, false, false, null::text, plants.created_at, plants.id
  from traits
  join plants on plants.hunt_id = traits.hunt_id and plants.cut_on is not null and plants.rooted_on is not null
  where ${traitsFrom(huntId, 'rooting_days')} and not exists (
    select from observations
    where observations.trait_id = traits.id and observations.plant_id = plants.id and is_current and not is_withdrawn)`

const harvested: Source = (huntId) => sql`
  select * from (
    select traits.id as trait_id, harvests.plant_id, harvests.run_id,
      case when harvests.run_id is null then 'jar' end as finds_run, harvests.harvested_on,
      case traits.source when 'flower_days' then harvests.flower_days when 'wet_weight' then harvests.wet_grams
        when 'dry_weight' then harvests.dry_grams else harvests.wash_yield_percent end as number,
      null::date, null::integer[], null::uuid, false, false as is_below_limit, null::text as observer, harvests.created_at, harvests.id
    from traits
    join harvests on harvests.hunt_id = traits.hunt_id
    where ${traitsFrom(huntId, 'flower_days', 'wet_weight', 'dry_weight', 'wash_yield')}) as weighed
  where number is not null`

const analyzed: Source = (huntId) => sql`
  select traits.id, lab_results.plant_id, null::uuid, 'jar', lab_results.tested_on,
    ${labFigure}, null::date, null::integer[], null::uuid,
    false, lab_results.value is null, nullif(lower(lab_results.lab), ''), lab_results.created_at, lab_results.id
  from traits
  join lab_results on lab_results.hunt_id = traits.hunt_id and lower(lab_results.analyte) = lower(traits.analyte)
  where ${traitsFrom(huntId, 'lab')} and ${labFigure} is not null`

const sources: readonly Source[] = [observed, tasted, logged, rooted, harvested, analyzed]
