import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import { plantName } from '#contracts/plants.ts'
import type { listHarvests as listContract, recordHarvests as recordContract } from '#contracts/traits.endpoints.ts'
import type { Harvest, HarvestChange, NewHarvest } from '#contracts/traits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hasBegun, recordHuntEvents, requireDayPassed, requireHunt, requireHuntWords, today } from '#server/features/hunts/index.ts'
import {
  begunAfter,
  endByHarvest,
  genotypesOfPlants,
  type LockedPlant,
  lockEndedByHarvest,
  lockHarvested,
  moveHarvestEnd,
  reviveLockedPlants,
} from '#server/features/plants/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidInput, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { changedMeanwhile, requireThing, runsOn } from './traits.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

const selectHarvests = (db: Db) =>
  db.selectFrom('harvests').innerJoin('plants', 'plants.id', 'harvests.plant_id').selectAll('harvests').select('plants.genotype_id')

type HarvestRow = Awaited<ReturnType<ReturnType<typeof selectHarvests>['execute']>>[number]

const toHarvest = (row: HarvestRow): Harvest => ({
  id: row.id,
  huntId: row.hunt_id,
  plantId: row.plant_id,
  genotypeId: row.genotype_id,
  runId: row.run_id,
  harvestedOn: row.harvested_on,
  flowerDays: row.flower_days,
  wetGrams: row.wet_grams,
  dryGrams: row.dry_grams,
  trimGrams: row.trim_grams,
  washYieldPercent: row.wash_yield_percent,
  notes: row.notes,
  version: row.version,
})

type Content = Omit<NewHarvest, 'id' | 'plantId'>

const columnsOf = (harvest: Content) => ({
  harvested_on: harvest.harvestedOn,
  flower_days: harvest.flowerDays,
  wet_grams: harvest.wetGrams,
  dry_grams: harvest.dryGrams,
  trim_grams: harvest.trimGrams,
  wash_yield_percent: harvest.washYieldPercent,
  notes: harvest.notes,
})

/** @throws AppError not_found about the hunt, invalid_input about the cursor */
export async function listHarvests(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor }: Parsed<(typeof listContract)['query']>,
): Promise<Page<Harvest>> {
  await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(cursor, ['id'])
  const rows = await selectHarvests(db)
    .where('harvests.hunt_id', '=', huntId)
    .$if(after !== null, (query) => query.where('harvests.id', '>', after?.[0] as string))
    .orderBy('harvests.id')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, ({ id }) => [id])
  return { items: items.map(toHarvest), nextCursor }
}

/** @throws AppError not_found */
export async function getHarvest(db: Db, actor: Actor, id: string): Promise<Harvest> {
  await requireThing(db, actor, 'harvests', id, 'view')
  return readHarvest(db, id)
}

/**
 * Each plant has at most one harvest, which ends the plant if `endsPlants`. Returns an existing harvest with the same figures unchanged.
 * @throws AppError not_found or forbidden about the hunt, muted, invalid_input, last_copy, conflict if a plant has a different harvest
 */
export async function recordHarvests(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  { harvests: given, endsPlants, confirmLastCopies: confirmed }: Parsed<(typeof recordContract)['body']>,
): Promise<Harvest[]> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, { harvests: given })
    const plantIds = given.map(({ plantId }) => plantId)
    const genotypes = await genotypesOfPlants(tx, huntId, plantIds)
    requireValid(given, genotypes, now)
    const locked = endsPlants ? await lockHarvested(tx, huntId, plantIds) : null
    const runs = await runsOn(
      tx,
      given.map(({ plantId, harvestedOn }) => ({ plantId, on: harvestedOn })),
    )
    const rows = given.map(({ id = newId(), plantId, ...content }, i) => ({
      id,
      hunt_id: huntId,
      plant_id: plantId,
      run_id: runs[i] ?? null,
      ...columnsOf(content),
      created_at: now,
    }))
    const inserted = await tx
      .insertInto('harvests')
      // Rows are inserted in the order of their plants, to prevent deadlocks.
      .values([...rows].sort((a, b) => (a.plant_id < b.plant_id ? -1 : 1)))
      .onConflict((conflict) => conflict.doNothing())
      .returning('plant_id')
      .execute()
    const fresh = new Set(inserted.map((row) => row.plant_id))
    const harvests = await harvestsOfPlants(tx, plantIds)
    await requireRepetitions(tx, given, harvests, fresh)
    if (locked) requireBegun(given, fresh, locked.plants)
    const made = harvests.filter(({ plantId }) => fresh.has(plantId))
    await recordHuntEvents(
      tx,
      made.map((harvest) => ({
        huntId,
        kind: 'harvest.recorded',
        genotypeId: harvest.genotypeId,
        plantId: harvest.plantId,
        subjectId: harvest.id,
        detail: { wetGrams: harvest.wetGrams, dryGrams: harvest.dryGrams },
        happenedOn: harvest.harvestedOn,
        recordedBy: actor.id,
        now,
      })),
    )
    if (locked) await endByHarvest(tx, locked, made, { huntId, confirmed, recordedBy: actor.id, now })
    return harvests
  })
}

/** @throws AppError invalid_input with all invalid rows */
function requireValid(given: readonly NewHarvest[], genotypes: ReadonlyMap<string, string>, now: Date): void {
  const issues: { path: PropertyKey[]; message: string }[] = []
  const seen = new Set<string>()
  for (const [i, { plantId, harvestedOn }] of given.entries()) {
    if (!genotypes.has(plantId)) issues.push({ path: ['harvests', i, 'plantId'], message: 'This plant isn’t in this hunt' })
    if (seen.has(plantId)) issues.push({ path: ['harvests', i, 'plantId'], message: 'This plant is listed twice' })
    seen.add(plantId)
    if (!hasBegun(harvestedOn, now)) issues.push({ path: ['harvests', i, 'harvestedOn'], message: 'This day is in the future' })
  }
  if (issues.length > 0) throw invalidInput(issues)
}

/** @throws AppError invalid_input that lists all rows whose plant would end before it began */
function requireBegun(given: readonly NewHarvest[], fresh: ReadonlySet<string>, living: readonly LockedPlant[]): void {
  const plants = new Map(living.map((plant): [string, LockedPlant] => [plant.id, plant]))
  const issues = [...given.entries()].flatMap(([i, { plantId, harvestedOn }]) => {
    const plant = fresh.has(plantId) && plants.get(plantId)
    const message = plant && begunAfter(plant, harvestedOn)
    return message ? [{ path: ['harvests', i, 'harvestedOn'], message }] : []
  })
  if (issues.length > 0) throw invalidInput(issues)
}

async function harvestsOfPlants(tx: Tx, plantIds: readonly string[]): Promise<Harvest[]> {
  const rows = await selectHarvests(tx).where(sql<boolean>`harvests.plant_id = any(${plantIds}::uuid[])`).execute()
  const byPlant = new Map(rows.map((row) => [row.plant_id, toHarvest(row)]))
  return plantIds.flatMap((plantId) => byPlant.get(plantId) ?? [])
}

/** @throws AppError conflict that lists all rows whose plant has a different harvest, or whose ID belongs to another harvest */
async function requireRepetitions(
  tx: Tx,
  given: readonly NewHarvest[],
  harvests: readonly Harvest[],
  fresh: ReadonlySet<string>,
): Promise<void> {
  const stored = new Map(harvests.map((harvest) => [harvest.plantId, harvest]))
  const refused = [...given.entries()].filter(([, { id: _, plantId, ...content }]) => {
    const harvest = stored.get(plantId)
    return !fresh.has(plantId) && !(harvest && isSame(harvest, content))
  })
  if (refused.length === 0) return
  const fields = Object.fromEntries(
    refused.map(([i, { plantId }]) => [
      `harvests.${i}.plantId`,
      stored.has(plantId)
        ? 'This plant already has a different harvest. Correct that one instead.'
        : 'Another harvest has this ID. Send a new ID.',
    ]),
  )
  const names = await namesOfPlants(
    tx,
    refused.flatMap(([, { plantId }]) => (stored.has(plantId) ? [plantId] : [])),
  )
  const listed = names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
  const message = names.length === 1 ? `${listed} already has a different harvest.` : `These already have a different harvest: ${listed}.`
  throw new AppError('conflict', { fields, message: names.length === 0 ? 'Another harvest has this ID. Send a new ID.' : message })
}

async function namesOfPlants(db: Db, plantIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('plants')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['number', 'copy'])
    .where(sql<boolean>`plants.id = any(${plantIds}::uuid[])`)
    .orderBy('number')
    .orderBy('copy')
    .execute()
  return rows.map(({ number, copy }) => plantName(number, copy))
}

const isSame = (harvest: Harvest, content: Content): boolean =>
  (Object.keys(columnKeys) as (keyof Content)[]).every((key) => harvest[key] === content[key])

const columnKeys: Record<keyof Content, true> = {
  harvestedOn: true,
  flowerDays: true,
  wetGrams: true,
  dryGrams: true,
  trimGrams: true,
  washYieldPercent: true,
  notes: true,
}

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict on a stale version */
export async function updateHarvest(ctx: Ctx, actor: Actor, id: string, { version, ...change }: HarvestChange): Promise<Harvest> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { huntId } = await requireThing(tx, actor, 'harvests', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, change)
    const ended = await lockEndedPlant(tx, huntId, id)
    await tx.selectFrom('harvests').select('id').where('id', '=', id).forUpdate().execute()
    const before = await readHarvest(tx, id)
    const after: Harvest = { ...before, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) }
    if (isSame(before, after)) return before
    if (before.version !== version) throw changedMeanwhile('harvest')
    requireDayPassed('harvestedOn', after.harvestedOn, now)
    const isMoved = before.harvestedOn !== after.harvestedOn
    if (ended && isMoved) await moveHarvestEnd(tx, ended, after.harvestedOn)
    const [runId = null] = isMoved ? await runsOn(tx, [{ plantId: after.plantId, on: after.harvestedOn }]) : [before.runId]
    await tx
      .updateTable('harvests')
      .set({ ...columnsOf(after), run_id: runId, version: version + 1 })
      .where('id', '=', id)
      .execute()
    await recordHuntEvents(tx, [
      {
        huntId,
        kind: 'harvest.changed',
        genotypeId: after.genotypeId,
        plantId: after.plantId,
        subjectId: id,
        // The event also keeps the previous weights.
        detail: { wasWetGrams: before.wetGrams, wasDryGrams: before.dryGrams, wetGrams: after.wetGrams, dryGrams: after.dryGrams },
        happenedOn: after.harvestedOn,
        recordedBy: actor.id,
        now,
      },
    ])
    return readHarvest(tx, id)
  })
}

async function readHarvest(db: Db, id: string): Promise<Harvest> {
  const row = await selectHarvests(db).where('harvests.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Harvest not found.')
  return toHarvest(row)
}

/** Also revives the plant that the harvest ended. */
export async function deleteHarvest(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { huntId } = await requireThing(tx, actor, 'harvests', id, 'write', { lock: 'share' })
    const ended = await lockEndedPlant(tx, huntId, id)
    const harvest = await tx.deleteFrom('harvests').where('id', '=', id).returningAll().executeTakeFirst()
    if (!harvest) return
    const { plant_id: plantId } = harvest
    await recordHuntEvents(tx, [
      {
        huntId,
        kind: 'harvest.deleted',
        genotypeId: (await genotypesOfPlants(tx, huntId, [plantId])).get(plantId) ?? null,
        plantId,
        subjectId: id,
        detail: { wasWetGrams: harvest.wet_grams, wasDryGrams: harvest.dry_grams },
        happenedOn: today(now),
        recordedBy: actor.id,
        now,
      },
    ])
    if (ended) await reviveLockedPlants(tx, [ended], { huntId, decisionId: null, recordedBy: actor.id, now })
  })
}

/** The plant that this harvest ended, locked before the harvest itself; null if it ended none. */
async function lockEndedPlant(tx: Tx, huntId: string, id: string) {
  const harvest = await tx.selectFrom('harvests').select(['plant_id', 'ended_plant']).where('id', '=', id).executeTakeFirst()
  if (!harvest?.ended_plant) return null
  return lockEndedByHarvest(tx, huntId, { id, plantId: harvest.plant_id })
}
