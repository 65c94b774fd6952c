import { type RawBuilder, sql } from 'kysely'
import { plantName } from '#contracts/plants.ts'
import type { TraitOption } from '#contracts/traits.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import { labFigure } from '#server/features/traits/index.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { type BrapiQuery, countedPage, dayOf, type Filter, infoOf, isOneOf, isTextOf, known, noonOf, type QueryResult } from './asked.ts'
import { germplasmName } from './germplasm.ts'
import { type GrownHunt, idsOfHunts, studyIdOf } from './hunts.ts'
import { addressOf } from './images.ts'
import { codeOf, type TraitRow } from './variables.ts'

export type ValueRow = {
  total: number
  /** The ID of the observation, or of the log, plant, harvest, lab result or card that the value is in, followed by the trait's ID. */
  id: string
  hunt_id: string
  trait_id: string
  plant_id: string
  run_id: string | null
  on: string
  number: number | null
  date: string | null
  options: number[] | null
  media_id: string | null
  note: string
  is_blind: boolean
  is_below_limit: boolean
  observed_by: string | null
  /** Who measured the value, if not a member. */
  collector: string | null
  trait_name: string
  trait_kind: TraitRow['kind']
  trait_options: readonly TraitOption[]
  genotype_id: string
  genotype_number: number
  copy: number
}

type Source = (hunts: RawBuilder<unknown>, editable: RawBuilder<unknown>, includesWithdrawn: boolean) => RawBuilder<unknown>

/** Scorers without an account never agreed to be named, so only people who may edit the hunt see their names. */
const observed: Source = (hunts, editable, includesWithdrawn) => sql`
  select observations.id::text as id, observations.hunt_id, observations.trait_id, observations.plant_id, observations.run_id, 'day' as finds_run,
    observed_on as "on", value_number as number, value_date as date, value_options as options, media_id, note, is_blind,
    false as is_below_limit, observed_by, case when observations.hunt_id = ${editable} then scorer end as collector,
    observations.created_at as recorded_at
  from observations where observations.hunt_id = ${hunts} and is_current${includesWithdrawn ? sql`` : sql` and not is_withdrawn`}`

/** While a panel is open, its scores are hidden even from its organizers. */
const tasted: Source = (hunts) => sql`
  select panel_cards.id || '.' || panel_scores.trait_id, blind_panels.hunt_id, panel_scores.trait_id, panel_jars.plant_id, null::uuid, 'jar',
    (panel_cards.answered_at at time zone 'UTC')::date, panel_scores.value_number, null::date, panel_scores.value_options, null::uuid, '',
    true, false, null::uuid, 'Blind panel', panel_cards.answered_at
  from blind_panels join panel_jars on panel_jars.panel_id = blind_panels.id join panel_cards on panel_cards.jar_id = panel_jars.id
  join panel_scores on panel_scores.card_id = panel_cards.id
  where blind_panels.hunt_id = ${hunts} and not blind_panels.is_open`

const logged: Source = (hunts) => sql`
  select grow_logs.id || '.' || traits.id, grow_logs.hunt_id, traits.id, grow_logs.plant_id, null::uuid, 'placed', grow_logs.logged_on,
    case traits.source when 'log_height' then grow_logs.height_cm else grow_logs.rating end, null::date, null::integer[], null::uuid, '',
    false, false, grow_logs.author_id, null, grow_logs.created_at
  from traits join grow_logs on grow_logs.hunt_id = traits.hunt_id and grow_logs.deleted_at is null and grow_logs.plant_id is not null
  where traits.hunt_id = ${hunts} and traits.source in ('log_height', 'log_rating')
    and case traits.source when 'log_height' then grow_logs.height_cm else grow_logs.rating end is not null`

const rooted: Source = (hunts) => sql`
  select plants.id || '.' || traits.id, plants.hunt_id, traits.id, plants.id, null::uuid, 'placed', plants.rooted_on,
    plants.rooted_on - plants.cut_on, null::date, null::integer[], null::uuid, '', false, false, null::uuid, null, plants.created_at
  from traits join plants on plants.hunt_id = traits.hunt_id and plants.cut_on is not null and plants.rooted_on is not null
  where traits.hunt_id = ${hunts} and traits.source = 'rooting_days' and not exists (
    select from observations
    where observations.trait_id = traits.id and observations.plant_id = plants.id and is_current and not is_withdrawn)`

const harvestValue = sql`case traits.source when 'flower_days' then harvests.flower_days when 'wet_weight' then harvests.wet_grams
  when 'dry_weight' then harvests.dry_grams else harvests.wash_yield_percent end`

const harvested: Source = (hunts) => sql`
  select harvests.id || '.' || traits.id, harvests.hunt_id, traits.id, harvests.plant_id, harvests.run_id, 'jar', harvests.harvested_on,
    ${harvestValue}, null::date, null::integer[], null::uuid, '', false, false, null::uuid, null, harvests.created_at
  from traits join harvests on harvests.hunt_id = traits.hunt_id
  where traits.hunt_id = ${hunts} and traits.source in ('flower_days', 'wet_weight', 'dry_weight', 'wash_yield')
    and ${harvestValue} is not null`

/** A value below the lab's limit of quantification counts as half the limit: see `readTraitRecords`. */
const analyzed: Source = (hunts) => sql`
  select lab_results.id || '.' || traits.id, lab_results.hunt_id, traits.id, lab_results.plant_id, null::uuid, 'jar', lab_results.tested_on,
    ${labFigure}, null::date, null::integer[], null::uuid, '', false,
    lab_results.value is null, null::uuid, nullif(lab_results.lab, ''), lab_results.created_at
  from traits join lab_results on lab_results.hunt_id = traits.hunt_id and lower(lab_results.analyte) = lower(traits.analyte)
  where traits.hunt_id = ${hunts} and traits.source = 'lab' and ${labFigure} is not null`

const sources: readonly Source[] = [observed, tasted, logged, rooted, harvested, analyzed]

/** SQL: the run that the plant of a row of `seen` was in on a day. */
const standingOn = (day: RawBuilder<unknown>) => sql`(
  select runs.id from placements join runs on runs.id = placements.run_id
  where placements.plant_id = seen.plant_id and coalesce(runs.started_on, '-infinity') <= ${day}
    and coalesce(runs.ended_on, 'infinity') >= ${day}
  order by runs.started_on desc nulls last, runs.id desc limit 1)`

const grownIn = sql`coalesce(harvests.run_id, ${standingOn(sql`harvests.harvested_on`)})`

/**
 * SQL: the run that a row of `seen` belongs to; `seen` must be joined with its plant's harvest. Follows the same rule as `runsOfPlants`,
 * for values from many hunts.
 */
const runOfValue = sql`coalesce(seen.run_id,
  case when seen.finds_run = 'jar' then ${grownIn} end,
  ${standingOn(sql`seen."on"`)},
  case when harvests.harvested_on <= seen."on" then ${grownIn} end,
  case when seen.finds_run <> 'day' then (
    select runs.id from placements join runs on runs.id = placements.run_id
    cross join lateral (select coalesce(runs.started_on, '-infinity') <= seen."on" as has_begun) as state
    where placements.plant_id = seen.plant_id
    order by has_begun desc, case when has_begun then runs.started_on end desc nulls last,
      case when has_begun then runs.id end desc, runs.started_on, runs.id limit 1) end)`

const askedDay = (name: string, time: string): string => {
  const day = dayOf(time)
  if (day === undefined) throw invalidField(name, `${name} must be a time such as 2026-06-30T12:00:00Z`)
  return day
}

function conditions(filter: Filter): RawBuilder<unknown> {
  const [start] = filter.observationTimeStampRangeStart ?? []
  const [end] = filter.observationTimeStampRangeEnd ?? []
  const seasons = filter.seasonDbIds
  return sql.join(
    [
      isTextOf(sql`id`, filter.observationDbIds),
      isOneOf(sql`plant_id`, filter.observationUnitDbIds),
      isOneOf(sql`trait_id`, filter.observationVariableDbIds),
      isOneOf(sql`genotype_id`, filter.germplasmDbIds),
      isOneOf(sql`coalesce(run_id, hunt_id)`, filter.studyDbIds),
      isTextOf(sql`to_char("on", 'YYYY')`, seasons),
      start === undefined ? sql`true` : sql`"on" >= ${askedDay('observationTimeStampRangeStart', start)}::date`,
      end === undefined ? sql`true` : sql`"on" <= ${askedDay('observationTimeStampRangeEnd', end)}::date`,
    ],
    sql` and `,
  )
}

type ValuesQuery = BrapiQuery & {
  /** Includes observations whose value was withdrawn. Their value is empty. */
  includesWithdrawn?: boolean
}

/** SQL: all requested current values in these hunts, with their runs. Excludes corrected values. */
function askedValues({ hunts, filter, includesWithdrawn = false }: Pick<ValuesQuery, 'hunts' | 'filter' | 'includesWithdrawn'>) {
  const editable = hunts.filter(({ access }) => access !== 'view')
  const all = sql.join(
    sources.map((source) => sql`(${source(pageIds(idsOfHunts(hunts)), pageIds(idsOfHunts(editable)), includesWithdrawn)})`),
    sql` union all `,
  )
  return sql`(
    select * from (
      select seen.id, seen.hunt_id, seen.trait_id, seen.plant_id, ${runOfValue} as run_id, seen."on", seen.number, seen.date, seen.options,
        seen.media_id, seen.note, seen.is_blind, seen.is_below_limit, seen.observed_by, seen.collector, seen.recorded_at, traits.name as trait_name,
        traits.kind as trait_kind, traits.options as trait_options, plants.genotype_id, genotypes.number as genotype_number, plants.copy
      from (${all}) as seen
      left join harvests on harvests.plant_id = seen.plant_id
      join traits on traits.id = seen.trait_id
      join plants on plants.id = seen.plant_id
      join genotypes on genotypes.id = plants.genotype_id) as placed
    where ${conditions(filter)})`
}

async function pageOfValues(asked: ValuesQuery) {
  const levels = [...(asked.filter.observationUnitLevelNames ?? []), ...(asked.filter.observationLevels ?? [])]
  if (levels.length > 0 && !levels.some((level) => level.toLowerCase() === 'plant')) return { items: [], total: 0 }
  return countedPage(
    (limit, offset) =>
      sql<ValueRow>`
        select *, count(*) over () as total from ${askedValues(asked)} as values_asked
        order by hunt_id, "on", recorded_at, id limit ${limit} offset ${offset}`
        .execute(asked.ctx.db)
        .then(({ rows }) => rows),
    asked.paging,
  )
}

/** The newest value of each trait for each plant. Bounded by a page of plants times a hunt's traits. */
export async function newestValues(asked: BrapiQuery): Promise<readonly ValueRow[]> {
  const { rows } = await sql<ValueRow>`
    select distinct on (plant_id, trait_id) * from ${askedValues(asked)} as values_asked
    order by plant_id, trait_id, "on" desc, recorded_at desc, id desc`.execute(asked.ctx.db)
  return rows
}

export async function readObservations(asked: ValuesQuery): Promise<QueryResult> {
  const { items, total } = await pageOfValues(asked)
  return { rows: await toObservations(asked, items), total }
}

/** All current values of these plants, by plant. If the request names studies, returns only the values in them. */
export async function observationsOfUnits(asked: BrapiQuery, unitIds: readonly string[]): Promise<Map<string, readonly object[]>> {
  const filter: Filter = { observationUnitDbIds: unitIds, studyDbIds: asked.filter.studyDbIds }
  const { items } = await pageOfValues({ ...asked, filter, paging: { page: 0, pageSize: maxValuesOfUnits } })
  const views = await toObservations(asked, items)
  const byPlant = new Map<string, object[]>(unitIds.map((id) => [id, []]))
  for (const [i, { plant_id }] of items.entries()) byPlant.get(plant_id)?.push(views[i] as object)
  return byPlant
}

/** The same limit as in a hunt's own score table. */
const maxValuesOfUnits = 50_000

async function toObservations({ ctx, actor, hunts }: BrapiQuery, items: readonly ValueRow[]): Promise<object[]> {
  const byId = new Map<string, GrownHunt>(hunts.map((hunt) => [hunt.id, hunt]))
  const people = await visiblePeople(
    ctx.db,
    actor.id,
    items.map(({ observed_by }) => observed_by),
  )
  const media = await mediaOf(
    ctx.db,
    items.flatMap(({ media_id }) => media_id ?? []),
  )
  return items.map((row) => {
    const hunt = byId.get(row.hunt_id) as GrownHunt
    const photo = row.media_id === null ? undefined : addressOf(ctx, media.get(row.media_id))
    const person = row.observed_by === null ? undefined : people.get(row.observed_by)
    return known({
      observationDbId: row.id,
      observationUnitDbId: row.plant_id,
      observationUnitName: plantName(row.genotype_number, row.copy),
      observationVariableDbId: row.trait_id,
      observationVariableName: row.trait_name,
      germplasmDbId: row.genotype_id,
      germplasmName: germplasmName(hunt.name, row.genotype_number),
      studyDbId: studyIdOf(row),
      season: { seasonDbId: row.on.slice(0, 4), seasonName: row.on.slice(0, 4), year: Number(row.on.slice(0, 4)) },
      observationTimeStamp: noonOf(row.on),
      collector: person?.name ?? row.collector,
      uploadedBy: person?.id,
      value: photo ?? valueText(row),
      additionalInfo: infoOf({
        ...{ trialDbId: hunt.id, note: row.note, isBlind: row.is_blind || null, isBelowLimit: row.is_below_limit || null },
      }),
    })
  })
}

/** Joins checked options with colons, as Field Book does. */
export function valueText({ number, date, options, trait_kind, trait_options }: ValueRow): string {
  if (number !== null) return String(number)
  if (date !== null) return date
  const codes = (options ?? []).map((value) => {
    const option = trait_options.find((each) => each.value === value)
    return option ? codeOf(trait_kind, option) : String(value)
  })
  return codes.join(':')
}
