import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type {
  setGenotypeSexes as sexContract,
  updatePlant as updateContract,
  updateGenotype as updateGenotypeContract,
  updatePlants as updateManyContract,
} from '#contracts/plants.endpoints.ts'
import { type Genotype, type Plant, plantName, type Sex } from '#contracts/plants.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type HuntEvent, recordHuntEvents, requireDayPassed, requireHunt, requireHuntWords, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { requireLot } from './add-plants.ts'
import { readGenotypes, readPlants } from './read-plants.ts'
import {
  changedMeanwhile,
  type LockedGenotype,
  type LockedPlant,
  lockGenotypes,
  lockPlants,
  requireHuntOf,
} from './require-plant-things.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Changes = Omit<Parsed<(typeof updateManyContract)['body']>, 'plantIds'>

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict on a stale version */
export async function updatePlant(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { version, notes, ...changes }: Parsed<(typeof updateContract)['body']>,
): Promise<Plant> {
  const now = ctx.clock.now()
  requirePassed(changes, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'plants', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, hunt.id, { notes })
    const plants = await lockPlants(tx, hunt.id, [id])
    if (plants[0]?.version !== version) throw changedMeanwhile('plant')
    await changeLockedPlants(tx, plants, changes, notes, { huntId: hunt.id, recordedBy: actor.id, now })
    const [changed] = await readPlants(tx, hunt.id, [id])
    if (!changed) throw notFound('Plant not found.')
    return changed
  })
}

export async function updatePlants(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  { plantIds, ...changes }: Parsed<(typeof updateManyContract)['body']>,
): Promise<Plant[]> {
  const now = ctx.clock.now()
  requirePassed(changes, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await changeLockedPlants(tx, await lockPlants(tx, huntId, plantIds), changes, undefined, { huntId, recordedBy: actor.id, now })
    return readPlants(tx, hunt.id, plantIds)
  })
}

type Move = Happening & { before: string; after: string | null }

/** Seeds get the hunt's germination date as their own, so correcting it there must also correct it here. */
export async function moveSeedStarts(tx: Tx, { before, after, ...happening }: Move): Promise<void> {
  const { huntId } = happening
  const seeds = await tx
    .selectFrom('plants')
    .select('id')
    .where('hunt_id', '=', huntId)
    .where('kind', '=', 'seed')
    .where('started_on', '=', before)
    .execute()
  const ids = seeds.map(({ id }) => id)
  const plants = await lockPlants(tx, huntId, ids)
  const ended = plants.find(({ ended_on }) => after !== null && ended_on !== null && ended_on < after)
  if (ended) {
    throw invalidField('germinationDate', `${plantName(ended.number, ended.copy)} ended on ${ended.ended_on}, before this day`)
  }
  await changeLockedPlants(tx, plants, { startedOn: after }, undefined, happening)
}

const days = ['startedOn', 'cutOn', 'rootedOn'] as const

function requirePassed(changes: Changes, now: Date): void {
  for (const field of days) if (changes[field]) requireDayPassed(field, changes[field], now)
}

type Happening = Pick<HuntEvent, 'huntId' | 'recordedBy' | 'now'>

async function changeLockedPlants(
  tx: Tx,
  plants: readonly LockedPlant[],
  changes: Changes,
  notes: string | undefined,
  happening: Happening,
): Promise<void> {
  for (const plant of plants) requireOrder(plant, changes)
  await tx
    .updateTable('plants')
    .set((eb) => ({
      ...(changes.startedOn === undefined ? {} : { started_on: changes.startedOn }),
      ...(changes.cutOn === undefined ? {} : { cut_on: changes.cutOn }),
      ...(changes.rootedOn === undefined ? {} : { rooted_on: changes.rootedOn }),
      ...(changes.isMother === undefined ? {} : { is_mother: changes.isMother }),
      ...(notes === undefined ? {} : { notes }),
      version: eb('version', '+', 1),
    }))
    .where(sql<boolean>`id = any(${plants.map(({ id }) => id)}::uuid[])`)
    .execute()
  await recordHuntEvents(
    tx,
    plants.flatMap((plant) => eventsOf(plant, changes, happening)),
  )
}

/** Checks the dates as they will be after the change. */
function requireOrder(plant: LockedPlant, changes: Changes): void {
  const name = plantName(plant.number, plant.copy)
  for (const field of ['cutOn', 'rootedOn'] as const) {
    if (plant.kind === 'seed' && changes[field]) throw invalidField(field, `${name} grew from a seed, so it has no such date`)
  }
  const { startedOn = plant.started_on, cutOn = plant.cut_on, rootedOn = plant.rooted_on } = changes
  if (cutOn !== null && rootedOn !== null && rootedOn < cutOn) {
    throw invalidField(changes.rootedOn ? 'rootedOn' : 'cutOn', `${name} was cut on ${cutOn}, so it can’t have rooted earlier`)
  }
  if (plant.ended_on === null) return
  for (const [field, day] of Object.entries({ startedOn, cutOn, rootedOn })) {
    if (changes[field as (typeof days)[number]] && day !== null && day > plant.ended_on) {
      throw invalidField(field, `${name} ended on ${plant.ended_on}, before this day`)
    }
  }
}

/** The first rooting date is an event on that day. Any other change is recorded as a correction today. */
function eventsOf(plant: LockedPlant, changes: Changes, happening: Happening): HuntEvent[] {
  const before = { startedOn: plant.started_on, cutOn: plant.cut_on, rootedOn: plant.rooted_on }
  const about = { ...happening, genotypeId: plant.genotype_id, plantId: plant.id }
  const corrected = days
    .filter((field) => changes[field] !== undefined && changes[field] !== before[field])
    .map((field): HuntEvent => {
      const after = changes[field] ?? null
      if (field === 'rootedOn' && before.rootedOn === null && after !== null) return { ...about, kind: 'plant.rooted', happenedOn: after }
      const detail = { changed: field, after, before: before[field] }
      return { ...about, kind: 'plant.changed', detail, happenedOn: today(happening.now) }
    })
  if (changes.isMother === undefined || changes.isMother === plant.is_mother) return corrected
  const detail = { changed: 'isMother', after: changes.isMother ? 'yes' : 'no', before: plant.is_mother ? 'yes' : 'no' }
  return [...corrected, { ...about, kind: 'plant.changed', detail, happenedOn: today(happening.now) }]
}

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict on a stale version */
export async function updateGenotype(
  ctx: Ctx,
  actor: Actor,
  id: string,
  input: Parsed<(typeof updateGenotypeContract)['body']>,
): Promise<Genotype> {
  const now = ctx.clock.now()
  if (input.sexedOn !== undefined) requireDayPassed('sexedOn', input.sexedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'genotypes', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, hunt.id, input)
    const [genotype] = await lockGenotypes(tx, hunt.id, [id])
    if (genotype?.version !== input.version) throw changedMeanwhile('pheno')
    if (input.seedLotId != null) await requireLot(tx, hunt.id, input.seedLotId)
    if (input.kind === 'check' && genotype.standing !== null) throw invalidField('kind', 'Undo the decision about it first')
    await tx
      .updateTable('genotypes')
      .set((eb) => ({
        ...(input.label === undefined ? {} : { label: input.label }),
        ...(input.sex === undefined ? {} : { sex: input.sex }),
        ...(input.notes === undefined ? {} : { notes: input.notes }),
        ...(input.seedLotId === undefined ? {} : { seed_lot_id: input.seedLotId }),
        ...(input.kind === undefined ? {} : { kind: input.kind }),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    if (input.sex !== undefined) {
      await recordSexes(tx, [genotype], { huntId: hunt.id, sex: input.sex, on: input.sexedOn ?? today(now), recordedBy: actor.id, now })
    }
    const [changed] = await readGenotypes(tx, hunt.id, [id])
    if (!changed) throw notFound('Pheno not found.')
    return changed
  })
}

export async function setGenotypeSexes(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  { genotypeIds, sex, sexedOn }: Parsed<(typeof sexContract)['body']>,
): Promise<Genotype[]> {
  const now = ctx.clock.now()
  if (sexedOn !== undefined) requireDayPassed('sexedOn', sexedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    const genotypes = await lockGenotypes(tx, huntId, genotypeIds)
    const changed = genotypes.filter((genotype) => genotype.sex !== sex).map(({ id }) => id)
    await tx
      .updateTable('genotypes')
      .set((eb) => ({ sex, version: eb('version', '+', 1) }))
      .where(sql<boolean>`id = any(${changed}::uuid[])`)
      .execute()
    await recordSexes(tx, genotypes, { huntId, sex, on: sexedOn ?? today(now), recordedBy: actor.id, now })
    return readGenotypes(tx, hunt.id, genotypeIds)
  })
}

type Sexing = { huntId: string; sex: Sex; on: string; recordedBy: string; now: Date }

const recordSexes = (tx: Tx, genotypes: readonly LockedGenotype[], { huntId, sex, on, recordedBy, now }: Sexing) =>
  recordHuntEvents(
    tx,
    genotypes
      .filter((genotype) => genotype.sex !== sex)
      .map((genotype) => ({
        huntId,
        kind: 'genotype.sexed',
        genotypeId: genotype.id,
        detail: { sex, before: genotype.sex === 'unknown' ? null : genotype.sex },
        happenedOn: on,
        recordedBy,
        now,
      })),
  )
