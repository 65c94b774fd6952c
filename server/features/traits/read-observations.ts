import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { listObservations as listContract, Observation, ObservedValue } from '#contracts/observations.endpoints.ts'
import type { TraitKind, TraitOption } from '#contracts/traits.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { type AccessibleHunt, huntAccess, requireHunt } from '#server/features/hunts/index.ts'
import { type MayReadMedia, mediaOf } from '#server/features/media/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { requireThing } from './traits.queries.ts'

export type ObservationRow = Awaited<ReturnType<typeof observationRows>>[number]

export const observationRows = (db: Db, ids: readonly string[]) =>
  db.selectFrom('observations').selectAll().where(sql<boolean>`id = any(${ids}::uuid[])`).execute()

/**
 * The observations of this hunt, in the order of `ids`. Scorers without an account here never agreed to be named in public, so only
 * people who may write see their names.
 */
export async function readObservations(
  db: Db,
  viewer: Pick<Actor, 'id'>,
  { id: huntId, access }: Pick<AccessibleHunt, 'id' | 'access'>,
  ids: readonly string[],
): Promise<Observation[]> {
  if (ids.length === 0) return []
  const all = (await observationRows(db, ids)).filter((row) => row.hunt_id === huntId)
  const rows = new Map(all.map((row) => [row.id, row]))
  const mediaIds = all.flatMap((row) => row.media_id ?? [])
  const media = await mediaOf(db, mediaIds)
  const personIds = all.map((row) => row.observed_by)
  const people = await visiblePeople(db, viewer.id, personIds)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    return {
      id: row.id,
      huntId: row.hunt_id,
      traitId: row.trait_id,
      plantId: row.plant_id,
      runId: row.run_id,
      observedOn: row.observed_on,
      number: row.value_number,
      date: row.value_date,
      options: row.value_options,
      photo: (row.media_id !== null && media.get(row.media_id)) || null,
      isWithdrawn: row.is_withdrawn,
      note: row.note,
      isBlind: row.is_blind,
      observedBy: (row.observed_by !== null && people.get(row.observed_by)) || null,
      scorer: access === 'view' ? null : row.scorer,
      correctsId: row.corrects_id,
      isCurrent: row.is_current,
      createdAt: row.created_at.toISOString(),
    }
  })
}

type Query = Parsed<(typeof listContract)['query']>

/** @throws AppError not_found about the hunt, invalid_input about the cursor */
export async function listObservations(db: Db, actor: Actor, huntId: string, query: Query): Promise<Page<Observation>> {
  const hunt = await requireHunt(db, actor, huntId, 'view')
  const { limit, cursor, traitId, plantId, genotypeId, withoutRun } = query
  // The day is decoded as a time, so that a forged value can't reach the query.
  const after = decodeCursor(cursor, ['time', 'time', 'id'])
  const keys = await db
    .selectFrom('observations')
    .select(['id', 'observed_on', 'created_at'])
    .where('hunt_id', '=', huntId)
    .$if(traitId !== undefined, (rows) => rows.where('trait_id', '=', traitId as string))
    .$if(plantId !== undefined, (rows) => rows.where('plant_id', '=', plantId as string))
    .$if(withoutRun === true, (rows) => rows.where('run_id', 'is', null).where('is_current', '=', true).where('is_withdrawn', '=', false))
    .$if(genotypeId !== undefined, (rows) =>
      rows.where('plant_id', 'in', (eb) =>
        eb
          .selectFrom('plants')
          .select('plants.id')
          .where('genotype_id', '=', genotypeId as string),
      ),
    )
    .$if(after !== null, (rows) =>
      rows.where(
        sql<boolean>`(observed_on, created_at, id) < (${after?.[0].slice(0, 10)}::date, ${after?.[1]}::timestamptz, ${after?.[2]}::uuid)`,
      ),
    )
    // Sort by `created_at` within a day, because IDs derived from a program's references aren't chronological.
    .orderBy('observed_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(keys, limit, ({ observed_on, created_at, id }) => [
    `${observed_on}T00:00:00.000Z`,
    created_at.toISOString(),
    id,
  ])
  return {
    items: await readObservations(db, actor, hunt, idsOf(items)),
    nextCursor,
  }
}

/** Includes the correction of the observation, if any, for choosing between conflicting values. */
export async function getObservation(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ observation: Observation; correctedBy: Observation | null }> {
  const { huntId, access } = await requireThing(db, actor, 'observations', id, 'view')
  const next = await db.selectFrom('observations').select('id').where('corrects_id', '=', id).executeTakeFirst()
  const found = await readObservations(db, actor, { id: huntId, access }, next ? [id, next.id] : [id])
  const [observation, correctedBy = null] = found
  if (!observation) throw notFound('Observation not found.')
  return { observation, correctedBy }
}

/** At most one of these columns is set. */
export type ValueColumns = {
  value_number: number | null
  value_date: string | null
  value_options: number[] | null
  media_id: string | null
}

const none: ValueColumns = { value_number: null, value_date: null, value_options: null, media_id: null }

export function columnsOfValue(value: ObservedValue | null): ValueColumns {
  switch (value?.kind) {
    case 'number':
      return { ...none, value_number: value.number }
    case 'date':
      return { ...none, value_date: value.date }
    case 'options':
      return { ...none, value_options: value.options }
    case 'photo':
      return { ...none, media_id: value.mediaId }
    default:
      return none
  }
}

export function valueOfColumns(row: ValueColumns): ObservedValue | null {
  if (row.value_number !== null) return { kind: 'number', number: row.value_number }
  if (row.value_date !== null) return { kind: 'date', date: row.value_date }
  if (row.value_options !== null) return { kind: 'options', options: row.value_options }
  if (row.media_id !== null) return { kind: 'photo', mediaId: row.media_id }
  return null
}

/** Why a value doesn't fit a trait, as a sentence; null if it does. */
export function valueIssue({ kind, options }: { kind: TraitKind; options: readonly TraitOption[] }, value: ObservedValue): string | null {
  const isOption = (number: number) => options.some((option) => option.value === number)
  switch (kind) {
    case 'number':
      return value.kind === 'number' ? null : 'This trait requires a number'
    case 'ordinal':
      return value.kind === 'number' && isOption(value.number) ? null : `Choose one of ${options.map((option) => option.value).join(', ')}`
    case 'date':
      return value.kind === 'date' ? null : 'This trait requires a day'
    case 'photo':
      return value.kind === 'photo' ? null : 'This trait requires a photo'
    case 'category':
      return value.kind === 'options' && value.options.length === 1 && value.options.every(isOption) ? null : 'Choose one of the options'
    case 'checks':
      return value.kind === 'options' && value.options.every(isOption) && new Set(value.options).size === value.options.length
        ? null
        : 'Choose each option only once'
  }
}

/** Photos of observations, including corrected ones, are visible to everyone who may see the hunt. */
export const mayReadObservedPhoto: MayReadMedia = async (db, actor, observationIds) => {
  const observation = await db
    .selectFrom('observations')
    .innerJoin('hunts', 'hunts.id', 'observations.hunt_id')
    .select('observations.id')
    .where(sql<boolean>`observations.id = ${pageIds(observationIds)}`)
    .where(sql<boolean>`${huntAccess(sql`${actor.id}::uuid`)} is not null`)
    .executeTakeFirst()
  return observation !== undefined
}
