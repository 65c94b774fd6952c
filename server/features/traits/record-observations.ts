import { sql } from 'kysely'
import { recordedSources } from '#contracts/choices.ts'
import type { NewObservation, Observation } from '#contracts/observations.endpoints.ts'
import type { TraitKind, TraitOption } from '#contracts/traits.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hasBegun, recordHuntEvents, requireHunt, requireHuntWords } from '#server/features/hunts/index.ts'
import { requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { genotypesOfPlants } from '#server/features/plants/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, invalidInput } from '#server/kernel/errors.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { columnsOfValue, type ObservationRow, observationRows, readObservations, valueIssue, valueOfColumns } from './read-observations.ts'
import { runsOn, traitsById } from './traits.queries.ts'

/**
 * Records observations, all or nothing. Existing IDs must repeat their original data and are no-ops. A correction can only replace a
 * current observation. Omits observations with `sameDay: 'once'` that were already recorded, and withdrawals of observations that were
 * never recorded.
 * @throws AppError not_found or forbidden about the hunt, muted, invalid_input with all invalid rows, conflict
 */
export async function recordObservations(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  given: readonly NewObservation[],
): Promise<Observation[]> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    // Serializes calls, so that a concurrent retry sees the first call's rows, photos and corrections.
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await requireHuntWords(tx, actor, huntId, { observations: given })
    const ids = given.map(({ id }) => id)
    const known = new Map((await observationRows(tx, ids)).map((row) => [row.id, row]))
    for (const observation of given) requireRepetition(known.get(observation.id), huntId, observation)
    const isFresh = ({ id }: NewObservation) => !known.has(id)
    const genotypes = await requireValid(tx, huntId, given, given.filter(isFresh), now)
    const unrecorded = await withoutRecorded(tx, huntId, actor.id, given.filter(isFresh))
    const fresh = await supersedeObservations(tx, huntId, await correctingOwnOfDay(tx, huntId, actor.id, unrecorded, given))
    await requireReadyMedia(
      tx,
      actor.id,
      fresh.flatMap(({ value }) => (value?.kind === 'photo' ? value.mediaId : [])),
      { kinds: ['image'], field: 'observations' },
    )
    await insert(tx, huntId, actor.id, fresh, now)
    await recordHuntEvents(
      tx,
      fresh.map(({ id, traitId, plantId, observedOn, value, correctsId }) => ({
        huntId,
        kind: correctsId === null ? 'observation.made' : 'observation.corrected',
        genotypeId: genotypes.get(plantId) ?? null,
        plantId,
        subjectId: id,
        detail: { traitId, number: value?.kind === 'number' ? value.number : null },
        happenedOn: observedOn,
        recordedBy: actor.id,
        now,
      })),
    )
    return readObservations(tx, actor, hunt, ids)
  })
}

/** @throws AppError conflict if the ID belongs to another observation */
function requireRepetition(row: ObservationRow | undefined, huntId: string, observation: NewObservation): void {
  if (!row) return
  const isSame =
    row.hunt_id === huntId &&
    row.trait_id === observation.traitId &&
    row.plant_id === observation.plantId &&
    row.observed_on === observation.observedOn &&
    row.note === observation.note &&
    row.is_blind === observation.isBlind &&
    (row.corrects_id === observation.correctsId || (observation.correctsId === null && observation.sameDay !== 'add')) &&
    JSON.stringify(valueOfColumns(row)) === JSON.stringify(observation.value)
  if (isSame) return
  throw takenId()
}

const takenId = () =>
  new AppError('conflict', {
    message: 'This ID belongs to another observation. Give each one its own ID; to change a recorded value, correct it.',
  })

async function requireValid(
  tx: Tx,
  huntId: string,
  all: readonly NewObservation[],
  fresh: readonly NewObservation[],
  now: Date,
): Promise<Map<string, string>> {
  const traits = await traitsById(tx, huntId, [...new Set(fresh.map(({ traitId }) => traitId))])
  const genotypes = await genotypesOfPlants(tx, huntId, [...new Set(fresh.map(({ plantId }) => plantId))])
  const issues: { path: PropertyKey[]; message: string }[] = []
  const seen = new Set<string>()
  const scoredOnDay = new Set<string>()
  const photos = new Set<string>()
  for (const [i, observation] of all.entries()) {
    const issue = (field: keyof NewObservation, message: string) => issues.push({ path: ['observations', i, field], message })
    if (seen.has(observation.id)) issue('id', 'Each observation needs its own ID')
    seen.add(observation.id)
    if (!fresh.includes(observation)) continue
    const trait = traits.get(observation.traitId)
    if (!trait) issue('traitId', 'This trait isn’t in this hunt')
    else if (!recordedSources.includes(trait.source))
      issue('traitId', 'This trait’s values come from logs, harvests or labs. Enter them there')
    if (!genotypes.has(observation.plantId)) issue('plantId', 'This plant isn’t in this hunt')
    const { value, correctsId } = observation
    if (value === null && correctsId === null) issue('value', 'Enter a value')
    if (value !== null && trait) {
      const message = valueIssue({ kind: trait.kind as TraitKind, options: trait.options as TraitOption[] }, value)
      if (message) issue('value', message)
    }
    if (observation.sameDay === 'correct') {
      const score = scoreOf(observation)
      if (scoredOnDay.has(score)) issue('plantId', 'This trait of this plant is listed twice for this day')
      scoredOnDay.add(score)
    }
    if (!hasBegun(observation.observedOn, now)) issue('observedOn', 'This day is in the future')
    if (value?.kind === 'photo') {
      if (photos.has(value.mediaId)) issue('value', 'Add each photo only once')
      photos.add(value.mediaId)
    }
  }
  if (issues.length > 0) throw invalidInput(issues)
  return genotypes
}

const scoreOf = ({ traitId, plantId, observedOn }: NewObservation) => `${traitId} ${plantId} ${observedOn}`

type Measured = Pick<NewObservation, 'traitId' | 'plantId' | 'observedOn' | 'value'>

const measurementOf = ({ traitId, plantId, observedOn, value }: Measured) => JSON.stringify([traitId, plantId, observedOn, value])

/**
 * Removes observations with `sameDay: 'once'` that the person has recorded before, such as by importing the same file. A plant may be
 * measured several times a day, so each recorded one accounts for one of the given ones. The hunt must be locked.
 */
async function withoutRecorded(
  tx: Tx,
  huntId: string,
  actorId: string,
  fresh: readonly NewObservation[],
): Promise<readonly NewObservation[]> {
  const asking = new Set(fresh.filter(({ sameDay, correctsId }) => sameDay === 'once' && correctsId === null))
  if (asking.size === 0) return fresh
  const asked = [...asking]
  const { rows } = await sql<ObservationRow>`
    select * from observations
    where hunt_id = ${huntId}::uuid and observed_by = ${actorId}::uuid and (plant_id, trait_id, observed_on) in (
      select * from unnest(${asked.map(({ plantId }) => plantId)}::uuid[], ${asked.map(({ traitId }) => traitId)}::uuid[],
        ${asked.map(({ observedOn }) => observedOn)}::date[]))`.execute(tx)
  const recorded = new Map(
    rows.map((row) => [
      row.id,
      measurementOf({ traitId: row.trait_id, plantId: row.plant_id, observedOn: row.observed_on, value: valueOfColumns(row) }),
    ]),
  )
  const counts = new Map<string, number>()
  for (const { id, corrects_id } of rows) {
    const measurement = recorded.get(id) as string
    // A correction that repeats the value, for example with another note, isn't another measurement.
    if (corrects_id !== null && recorded.get(corrects_id) === measurement) continue
    counts.set(measurement, (counts.get(measurement) ?? 0) + 1)
  }
  return fresh.filter((observation) => {
    const measurement = measurementOf(observation)
    const count = asking.has(observation) ? (counts.get(measurement) ?? 0) : 0
    if (count > 0) counts.set(measurement, count - 1)
    return count === 0
  })
}

/**
 * Makes observations with `sameDay: 'correct'` correct the person's own current one from that day, if any. An observation with `once` does
 * the same if it is the call's only one for that trait, plant and day. The hunt must be locked.
 */
async function correctingOwnOfDay(
  tx: Tx,
  huntId: string,
  actorId: string,
  fresh: readonly NewObservation[],
  given: readonly NewObservation[],
): Promise<readonly NewObservation[]> {
  const ofDay = Map.groupBy(given, scoreOf)
  const asking = fresh.filter((observation) => {
    const { sameDay, correctsId } = observation
    return correctsId === null && (sameDay === 'correct' || (sameDay === 'once' && ofDay.get(scoreOf(observation))?.length === 1))
  })
  if (asking.length === 0) return fresh
  const { rows } = await sql<{ place: number; id: string }>`
    select given.place::integer, own.id
    from unnest(${asking.map(({ traitId }) => traitId)}::uuid[], ${asking.map(({ plantId }) => plantId)}::uuid[],
        ${asking.map(({ observedOn }) => observedOn)}::date[]) with ordinality as given (trait_id, plant_id, day, place)
      cross join lateral (
        select observations.id from observations
        where observations.plant_id = given.plant_id and observations.trait_id = given.trait_id and observations.observed_on = given.day
          and observations.hunt_id = ${huntId}::uuid and observations.observed_by = ${actorId}::uuid and observations.is_current
        order by observations.created_at desc, observations.id desc limit 1) as own`.execute(tx)
  const ownOf = new Map(rows.map(({ place, id }) => [asking[place - 1], id]))
  return fresh.map((observation) => ({ ...observation, correctsId: observation.correctsId ?? ownOf.get(observation) ?? null }))
}

/**
 * Marks corrected observations as no longer current. Locks them in ID order: of two concurrent corrections, the later one fails.
 * @returns `fresh` without the withdrawals of unknown observations
 */
async function supersedeObservations(tx: Tx, huntId: string, fresh: readonly NewObservation[]): Promise<readonly NewObservation[]> {
  const corrections = fresh.filter(({ correctsId }) => correctsId !== null)
  if (corrections.length === 0) return fresh
  const ids = corrections.map(({ correctsId }) => correctsId as string)
  const rows = await tx
    .selectFrom('observations')
    .select(['id', 'hunt_id', 'trait_id', 'plant_id', 'is_current'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const standing = new Map(rows.map((row) => [row.id, row]))
  const isWithdrawalOfNone = ({ value, correctsId }: NewObservation) => value === null && correctsId !== null && !standing.has(correctsId)
  for (const correction of corrections) {
    const { correctsId, traitId, plantId } = correction
    const row = standing.get(correctsId as string)
    if (isWithdrawalOfNone(correction)) continue
    if (row?.hunt_id !== huntId || row.trait_id !== traitId || row.plant_id !== plantId) {
      throw new AppError('conflict', { message: 'The observation to correct is for a different trait or plant.' })
    }
    if (!row.is_current || new Set(ids).size < ids.length) {
      throw new AppError('conflict', {
        message: 'This was corrected in the meantime. Check the current version and choose what to keep.',
      })
    }
  }
  await tx.updateTable('observations').set({ is_current: false }).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  return fresh.filter((observation) => !isWithdrawalOfNone(observation))
}

async function insert(tx: Tx, huntId: string, observerId: string, fresh: readonly NewObservation[], now: Date): Promise<void> {
  if (fresh.length === 0) return
  const runs = await runsOn(
    tx,
    fresh.map(({ plantId, observedOn }) => ({ plantId, on: observedOn })),
  )
  const times = creationTimes(fresh, now)
  const inserted = await tx
    .insertInto('observations')
    .values(
      fresh.map((observation, i) => ({
        id: observation.id,
        hunt_id: huntId,
        trait_id: observation.traitId,
        plant_id: observation.plantId,
        run_id: runs[i] ?? null,
        observed_on: observation.observedOn,
        ...columnsOfValue(observation.value),
        note: observation.note,
        is_blind: observation.isBlind,
        observed_by: observerId,
        corrects_id: observation.correctsId,
        is_withdrawn: observation.value === null,
        created_at: times[i] as Date,
      })),
    )
    // The same ID may be inserted in another hunt concurrently.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  if (inserted.length < fresh.length) throw takenId()
  await syncMediaUses(
    tx,
    'observation',
    fresh.flatMap(({ id, value }) => (value?.kind === 'photo' ? id : [])),
  )
}

/**
 * IDs derived from a program's references aren't chronological, so several values of a plant's trait on one day get times a millisecond
 * apart, which sorts them. The last one gets the current time, and the others get earlier ones: if any were in the future, values saved
 * next would seem older.
 */
function creationTimes(fresh: readonly NewObservation[], now: Date): Date[] {
  const counts = new Map<string, number>()
  const times = fresh.toReversed().map(({ plantId, traitId, observedOn }) => {
    const day = `${plantId} ${traitId} ${observedOn}`
    const count = counts.get(day) ?? 0
    counts.set(day, count + 1)
    return new Date(now.getTime() - count)
  })
  return times.reverse()
}

/**
 * Assigns current observations to a run, or to none. This isn't a correction: the values don't change.
 * @throws AppError not_found or forbidden about the hunt, invalid_input
 */
export async function setObservationRuns(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  huntId: string,
  { runId, observationIds }: { runId: string | null; observationIds: readonly string[] },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    if (runId !== null) {
      const run = await tx.selectFrom('runs').select('id').where('id', '=', runId).where('hunt_id', '=', huntId).executeTakeFirst()
      if (!run) throw invalidField('runId', 'Choose a run from this hunt')
    }
    const changed = await tx
      .updateTable('observations')
      .set({ run_id: runId })
      .where(sql<boolean>`id = any(${observationIds}::uuid[])`)
      .where('hunt_id', '=', huntId)
      .where('is_current', '=', true)
      .returning('id')
      .execute()
    if (changed.length < new Set(observationIds).size) throw invalidField('observationIds', 'Choose current observations from this hunt')
  })
}

const batch = 200

/** In other people's hunts, observed figures are kept anonymously; notes and photos are deleted. */
export const eraseObservations: EraseStep = {
  name: 'observations',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const { rows } = await sql<{ id: string; has_photo: boolean }>`
        select id, media_id is not null as has_photo from observations where observed_by = ${userId}::uuid
        order by id limit ${batch}::int for update`.execute(tx)
      await deletePhotos(
        tx,
        rows.flatMap(({ id, has_photo }) => (has_photo ? id : [])),
      )
      const ids = rows.map(({ id }) => id)
      await sql`update observations set note = '', observed_by = null where id = any(${ids}::uuid[])`.execute(tx)
      return ids.length
    }),
}

/**
 * Deletes observations with photos. If others corrected a photo, their correction is kept and now corrects the observation that the photo
 * had corrected. Otherwise, that observation becomes current again.
 */
async function deletePhotos(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ earlier: string | null; later: string | null; was_current: boolean }>`
    with recursive gone as (select id, corrects_id, is_current from observations where id = any(${ids}::uuid[])),
    chain as (
      select gone.corrects_id as earlier, later.id as later, gone.is_current as was_current
      from gone left join observations later on later.corrects_id = gone.id
      where later.id is null or later.id <> all(${ids}::uuid[])
      union all
      select gone.corrects_id, chain.later, chain.was_current from chain join gone on gone.id = chain.earlier)
    select earlier, later, was_current from chain where earlier is null or earlier <> all(${ids}::uuid[])`.execute(tx)
  // `corrects_id` is unique, so it must be cleared here before other rows can take over its values.
  await sql`update observations set corrects_id = null where id = any(${ids}::uuid[])`.execute(tx)
  const kept = rows.filter(({ later }) => later !== null)
  // A withdrawal that is left with nothing to withdraw is deleted along with the photo.
  await sql`
    update observations set corrects_id = kept.earlier
    from unnest(${kept.map(({ earlier }) => earlier)}::uuid[], ${kept.map(({ later }) => later)}::uuid[]) as kept (earlier, later)
    where observations.id = kept.later and (kept.earlier is not null or not is_withdrawn)`.execute(tx)
  const restored = rows.flatMap(({ earlier, later, was_current }) => (later === null && was_current && earlier) || [])
  await sql`update observations set is_current = true where id = any(${restored}::uuid[])`.execute(tx)
  await sql`delete from observations where id = any(${ids}::uuid[])`.execute(tx)
}
