import { sql } from 'kysely'
import type { HuntEventKind } from '#contracts/hunt-activity.endpoints.ts'
import type { Db } from '#server/db/connect.ts'

export type EventRow = {
  id: string
  kind: HuntEventKind
  subject_id: string | null
  plant_id: string | null
  copy: number | null
  number: number
  detail: Record<string, string | number | boolean | null>
  happened_on: string
  recorded_at: Date
  recorded_by: string | null
}

type Place = { happenedOn: string; id: string }
type Page = { after: Place | null; limit: number }

/** Sorts after every valid date, so it starts the first page. */
const end: Place = { happenedOn: '9999-12-31', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

const columns = sql`hunt_events.id, hunt_events.kind, hunt_events.subject_id, hunt_events.plant_id, hunt_events.detail,
  hunt_events.happened_on, hunt_events.recorded_at, hunt_events.recorded_by`

/** A seed's start has no stored event; it is derived from the genotype and the start date of its plant. */
const beginning = sql`genotypes.id, 'seeds.added' as kind, null::uuid as subject_id, plants.id as plant_id, '{}'::jsonb as detail,
  coalesce(plants.started_on, (genotypes.created_at at time zone 'UTC')::date) as happened_on, genotypes.created_at as recorded_at,
  null::uuid as recorded_by
  from genotypes join plants on plants.genotype_id = genotypes.id and plants.copy = 0`

/** Events of a genotype and all its plants, newest day first. Late entries sort by their day. */
export async function genotypeEvents(db: Db, genotypeId: string, { after, limit }: Page): Promise<EventRow[]> {
  const { happenedOn, id } = after ?? end
  const { rows } = await sql<EventRow>`
    select entries.*, genotypes.number, plants.copy
    from (
      (select ${columns} from hunt_events
        where hunt_events.genotype_id = ${genotypeId}::uuid and (hunt_events.happened_on, hunt_events.id) < (${happenedOn}::date, ${id}::uuid)
        order by hunt_events.happened_on desc, hunt_events.id desc limit ${limit})
      union all
      (select ${beginning} where genotypes.id = ${genotypeId}::uuid)
    ) as entries
      join genotypes on genotypes.id = ${genotypeId}::uuid
      left join plants on plants.id = entries.plant_id
    where (entries.happened_on, entries.id) < (${happenedOn}::date, ${id}::uuid)
    order by entries.happened_on desc, entries.id desc limit ${limit}`.execute(db)
  return rows
}

export async function plantEvents(db: Db, plantId: string, { after, limit }: Page): Promise<EventRow[]> {
  const { happenedOn, id } = after ?? end
  const { rows } = await sql<EventRow>`
    select entries.*, genotypes.number, plants.copy
    from (
      (select ${columns} from hunt_events
        where hunt_events.plant_id = ${plantId}::uuid and (hunt_events.happened_on, hunt_events.id) < (${happenedOn}::date, ${id}::uuid)
        order by hunt_events.happened_on desc, hunt_events.id desc limit ${limit})
      union all
      (select ${beginning} where plants.id = ${plantId}::uuid)
    ) as entries
      join plants on plants.id = ${plantId}::uuid
      join genotypes on genotypes.id = plants.genotype_id
    where (entries.happened_on, entries.id) < (${happenedOn}::date, ${id}::uuid)
    order by entries.happened_on desc, entries.id desc limit ${limit}`.execute(db)
  return rows
}

const all = (ids: readonly string[]) => sql<boolean>`any(${ids}::uuid[])`

export const logsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('grow_logs')
    .select(['id', 'week', 'stage', 'height_cm', 'rating', 'notes', 'deleted_at'])
    .select(
      sql<string[]>`array(
        select media_id from grow_log_photos where grow_log_photos.log_id = grow_logs.id order by grow_log_photos.position)`.as(
        'media_ids',
      ),
    )
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()

/** The previous text of changed logs, each at its version before the change. */
export const logVersionsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('grow_log_versions')
    .select(['log_id', 'version', 'said'])
    .where(sql<boolean>`log_id = ${all(ids)}`)
    .execute()

export type ObservationRow = Awaited<ReturnType<typeof observationsOf>>[number]

/** Each with the observation it corrects, which has the same trait. */
export const observationsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('observations')
    .innerJoin('traits', 'traits.id', 'observations.trait_id')
    .select([
      'observations.id',
      'observations.trait_id',
      'observations.value_number',
      'observations.value_date',
      'observations.value_options',
    ])
    .select(['observations.media_id', 'observations.note', 'observations.is_blind', 'observations.is_withdrawn', 'observations.is_current'])
    .select(['observations.corrects_id', 'observations.observed_on', 'traits.name', 'traits.kind', 'traits.unit', 'traits.options'])
    .where(sql<boolean>`observations.id = ${all(ids)}`)
    .execute()

export const decisionsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('decisions')
    .select(['id', 'kind', 'reason', 'undone_at'])
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()

export const harvestsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('harvests')
    .select(['id', 'flower_days', 'wet_grams', 'dry_grams', 'wash_yield_percent'])
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()

export const labResultsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('lab_results')
    .select(['id', 'lab', 'analyte', 'value', 'unit', 'quantification_limit'])
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()

export const runsOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('runs')
    .select(['id', 'name'])
    .where(sql<boolean>`id = ${all(ids)}`)
    .execute()
