import { sql } from 'kysely'
import type { Parsed } from '../../../contracts/endpoint.ts'
import {
  type changePlant as changeContract,
  type changePlants as changeManyContract,
  type Plant,
  plantName,
} from '../../../contracts/plants.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField, notFound } from '../../kernel/errors.ts'
import { type HuntEvent, recordHuntEvents, requireDayPassed, requireHunt, requireHuntWords, today } from '../hunts/index.ts'
import { readPlants } from './plants.view.ts'
import { changedMeanwhile, type HeldPlant, holdPlants, requireHuntOf } from './require-plant-things.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Changes = Omit<Parsed<(typeof changeManyContract)['body']>, 'plantIds'>

/** @throws AppError not_found, forbidden, invalid_input, conflict when somebody changed it meanwhile */
export async function changePlant(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { version, notes, ...changes }: Parsed<(typeof changeContract)['body']>,
): Promise<Plant> {
  const now = ctx.clock.now()
  requirePassed(changes, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'plants', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, hunt.id, { notes })
    const plants = await holdPlants(tx, hunt.id, [id])
    if (plants[0]?.version !== version) throw changedMeanwhile('plant')
    await changeHeldPlants(tx, plants, changes, notes, { huntId: hunt.id, recordedBy: actor.id, now })
    const [changed] = await readPlants(tx, [id])
    if (!changed) throw notFound('There is no such plant.')
    return changed
  })
}

/** One entry for many plants. @throws AppError not_found, forbidden, invalid_input */
export async function changePlants(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  { plantIds, ...changes }: Parsed<(typeof changeManyContract)['body']>,
): Promise<Plant[]> {
  const now = ctx.clock.now()
  requirePassed(changes, now)
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await changeHeldPlants(tx, await holdPlants(tx, huntId, plantIds), changes, undefined, { huntId, recordedBy: actor.id, now })
    return readPlants(tx, plantIds)
  })
}

const days = ['startedOn', 'cutOn', 'rootedOn'] as const

function requirePassed(changes: Changes, now: Date): void {
  for (const field of days) if (changes[field]) requireDayPassed(field, changes[field], now)
}

type Happening = Pick<HuntEvent, 'huntId' | 'recordedBy' | 'now'>

async function changeHeldPlants(
  tx: Tx,
  plants: readonly HeldPlant[],
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

/** As they are after the change. @throws AppError invalid_input */
function requireOrder(plant: HeldPlant, changes: Changes): void {
  const name = plantName(plant.number, plant.copy)
  for (const field of ['cutOn', 'rootedOn'] as const) {
    if (plant.kind === 'seed' && changes[field]) throw invalidField(field, `${name} grew from a seed`)
  }
  const { startedOn = plant.started_on, cutOn = plant.cut_on, rootedOn = plant.rooted_on } = changes
  if (cutOn !== null && rootedOn !== null && rootedOn < cutOn) {
    throw invalidField(changes.rootedOn ? 'rootedOn' : 'cutOn', `${name} was cut on ${cutOn}, and rooted after that`)
  }
  if (plant.ended_on === null) return
  for (const [field, day] of Object.entries({ startedOn, cutOn, rootedOn })) {
    if (changes[field as (typeof days)[number]] && day !== null && day > plant.ended_on) {
      throw invalidField(field, `${name} ended on ${plant.ended_on}, before this day`)
    }
  }
}

/** The first word about rooting is something that happened; all else corrects what was said before. */
function eventsOf(plant: HeldPlant, changes: Changes, happening: Happening): HuntEvent[] {
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
