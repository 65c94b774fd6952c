import { sql } from 'kysely'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import type { endPlants as endContract, revivePlants as reviveContract } from '#contracts/plants.endpoints.ts'
import { type EndKind, genotypeName, type Plant, plantName, type Standing } from '#contracts/plants.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordHuntEvents, requireDayPassed, requireHunt, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { plantRoom, readPlants } from './read-plants.ts'
import { genotypeIdsOf, type LockedGenotype, type LockedPlant, lockGenotypes, lockPlants } from './require-plant-things.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

export const endWords: Record<EndKind, string> = { culled: 'culled', harvested: 'harvested', died: 'died', given_away: 'given away' }

/**
 * Skips plants that already ended the same way.
 * @throws AppError not_found, forbidden, invalid_input, last_copy, conflict if a plant ended differently, idempotency_mismatch
 */
export async function endPlants(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  input: Parsed<(typeof endContract)['body']>,
  idempotency: IdempotencyKey | null,
): Promise<Plant[]> {
  const now = ctx.clock.now()
  if (input.endedOn !== undefined) requireDayPassed('endedOn', input.endedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    return once(tx, actor.id, idempotency, now, async () => {
      const genotypes = await lockGenotypes(tx, huntId, await genotypeIdsOf(tx, huntId, input.plantIds))
      const plants = await lockPlants(tx, huntId, input.plantIds)
      for (const plant of plants) requireEndedLikeThis(plant, input)
      const living = plants.filter((plant) => plant.ended_on === null)
      if (living.length > 0) {
        const { endedHow, confirmLastCopies: confirmed } = input
        await endLockedPlants(tx, genotypes, living, {
          huntId,
          endedHow,
          confirmed,
          dayOf: () => input.endedOn ?? today(now),
          decisionOf: () => null,
          recordedBy: actor.id,
          now,
        })
      }
      return readPlants(tx, hunt.id, input.plantIds)
    })
  })
}

function requireEndedLikeThis(plant: LockedPlant, { endedHow, endedOn }: { endedHow: EndKind; endedOn?: string | undefined }): void {
  if (plant.ended_how === null || (plant.ended_how === endedHow && (endedOn === undefined || endedOn === plant.ended_on))) return
  const name = plantName(plant.number, plant.copy)
  throw new AppError('conflict', {
    message: `${name} already ended: ${endWords[plant.ended_how]} on ${plant.ended_on}. Undo that first.`,
  })
}

type End = {
  huntId: string
  endedHow: EndKind
  dayOf: (plantId: string) => string
  confirmed: readonly string[]
  decisionOf: (genotypeId: string) => string | null
  recordedBy: string
  now: Date
}

/** The plants must be alive, and `genotypes` must contain their genotypes. */
export async function endLockedPlants(
  tx: Tx,
  genotypes: readonly LockedGenotype[],
  plants: readonly LockedPlant[],
  { huntId, endedHow, dayOf, confirmed, decisionOf, recordedBy, now }: End,
): Promise<void> {
  const plantIds = plants.map(({ id }) => id)
  await requireConfirmedLastCopies(tx, genotypes, { plantIds, endedHow, confirmed })
  for (const plant of plants) requireBegunBy(plant, dayOf(plant.id))
  await sql`
    update plants set ended_on = day, ended_how = ${endedHow}, ended_by_decision_id = decision_id, version = version + 1
    from unnest(${plantIds}::uuid[], ${plants.map(({ id }) => dayOf(id))}::date[],
      ${plants.map((plant) => decisionOf(plant.genotype_id))}::uuid[]) as ended (plant_id, day, decision_id)
    where plants.id = ended.plant_id`.execute(tx)
  await recordHuntEvents(
    tx,
    plants.map((plant) => ({
      huntId,
      kind: 'plant.ended',
      genotypeId: plant.genotype_id,
      plantId: plant.id,
      subjectId: decisionOf(plant.genotype_id),
      detail: { how: endedHow },
      happenedOn: dayOf(plant.id),
      recordedBy,
      now,
    })),
  )
}

/** Why the plant can't end on this day; null if it can. */
export function begunAfter(plant: LockedPlant, endedOn: string): string | null {
  const begun = [plant.started_on, plant.cut_on, plant.rooted_on].find((day) => day !== null && day > endedOn)
  return begun ? `${plantName(plant.number, plant.copy)} began on ${begun}, after this day` : null
}

function requireBegunBy(plant: LockedPlant, endedOn: string, field: 'endedOn' | 'harvestedOn' = 'endedOn'): void {
  const problem = begunAfter(plant, endedOn)
  if (problem) throw invalidField(field, problem)
}

/** Revives ended plants. A decision that ended them still applies and is undone separately. */
export async function revivePlants(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  { plantIds }: Parsed<(typeof reviveContract)['body']>,
): Promise<ResponseOf<typeof reviveContract>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await lockGenotypes(tx, huntId, await genotypeIdsOf(tx, huntId, plantIds))
    const plants = await lockPlants(tx, huntId, plantIds)
    await reviveLockedPlants(
      tx,
      plants.filter((plant) => plant.ended_on !== null),
      { huntId, decisionId: null, recordedBy: actor.id, now },
    )
    return { plants: await readPlants(tx, hunt.id, plantIds), room: await plantRoom(tx, huntId) }
  })
}

/** The plants must have ended, and their genotypes must be locked. */
export async function reviveLockedPlants(
  tx: Tx,
  plants: readonly LockedPlant[],
  { huntId, decisionId, recordedBy, now }: Pick<End, 'huntId' | 'recordedBy' | 'now'> & { decisionId: string | null },
): Promise<void> {
  await tx
    .updateTable('plants')
    .set((eb) => ({ ended_on: null, ended_how: null, ended_by_decision_id: null, version: eb('version', '+', 1) }))
    .where(sql<boolean>`id = any(${plants.map(({ id }) => id)}::uuid[])`)
    .execute()
  await recordHuntEvents(
    tx,
    plants.map((plant) => ({
      huntId,
      kind: 'plant.revived',
      genotypeId: plant.genotype_id,
      plantId: plant.id,
      subjectId: decisionId,
      detail: { how: plant.ended_how, before: plant.ended_on },
      happenedOn: today(now),
      recordedBy,
      now,
    })),
  )
}

/** Locks the plants that a new harvest may end, and their genotypes. Call before the harvests are written. */
export async function lockHarvested(tx: Tx, huntId: string, plantIds: readonly string[]) {
  const genotypes = await lockGenotypes(tx, huntId, await genotypeIdsOf(tx, huntId, plantIds))
  return { genotypes, plants: (await lockPlants(tx, huntId, plantIds)).filter((plant) => plant.ended_on === null) }
}

type Harvest = { id: string; plantId: string; harvestedOn: string }

/** Ends the plants of new harvests, except for those that had already ended. @throws AppError last_copy, invalid_input */
export async function endByHarvest(
  tx: Tx,
  { genotypes, plants: living }: Awaited<ReturnType<typeof lockHarvested>>,
  harvests: readonly Harvest[],
  happening: Pick<End, 'huntId' | 'confirmed' | 'recordedBy' | 'now'>,
): Promise<void> {
  const harvestOf = new Map(harvests.map((harvest) => [harvest.plantId, harvest]))
  const plants = living.filter(({ id }) => harvestOf.has(id))
  if (plants.length === 0) return
  const dayOf = (plantId: string) => harvestOf.get(plantId)?.harvestedOn ?? today(happening.now)
  await endLockedPlants(tx, genotypes, plants, { ...happening, endedHow: 'harvested', dayOf, decisionOf: () => null })
  const harvestIds = plants.flatMap(({ id }) => harvestOf.get(id)?.id ?? [])
  await tx.updateTable('harvests').set({ ended_plant: true }).where(sql<boolean>`id = any(${harvestIds}::uuid[])`).execute()
}

/** The plant that a harvest ended, locked; null if it has been revived or ended differently since. */
export async function lockEndedByHarvest(tx: Tx, huntId: string, { id, plantId }: Omit<Harvest, 'harvestedOn'>) {
  await lockGenotypes(tx, huntId, await genotypeIdsOf(tx, huntId, [plantId]))
  const [plant] = await lockPlants(tx, huntId, [plantId])
  // Read after the locks, because another call may have corrected the day.
  const harvest = await tx.selectFrom('harvests').select('harvested_on').where('id', '=', id).executeTakeFirst()
  const isEndedByIt = plant?.ended_how === 'harvested' && plant.ended_on === harvest?.harvested_on && plant.ended_by_decision_id === null
  return isEndedByIt ? plant : null
}

/** Moves the plant's end to the corrected day of its harvest. */
export async function moveHarvestEnd(tx: Tx, plant: LockedPlant, harvestedOn: string): Promise<void> {
  requireBegunBy(plant, harvestedOn, 'harvestedOn')
  await tx
    .updateTable('plants')
    .set((eb) => ({ ended_on: harvestedOn, version: eb('version', '+', 1) }))
    .where('id', '=', plant.id)
    .execute()
}

type Genotype = { id: string; number: number; label: string; standing: Standing | null }

/** Deliberate ends, which require confirmation for a last living copy. */
const endTexts: Record<Exclude<EndKind, 'died'>, { one: string; many: string }> = {
  culled: { one: 'cull it', many: 'cull them' },
  harvested: { one: 'harvest it', many: 'harvest them' },
  given_away: { one: 'give it away', many: 'give them away' },
}

/**
 * Ending the last living copy of a genotype, other than by its death, requires naming it. The genotypes are locked, so that of two
 * concurrent ends of the last two copies, the second fails.
 * @throws AppError last_copy unless `confirmed` names exactly the genotypes losing their last copy ("#7")
 */
async function requireConfirmedLastCopies(
  tx: Tx,
  genotypes: readonly LockedGenotype[],
  { plantIds, endedHow, confirmed }: { plantIds: readonly string[]; endedHow: EndKind; confirmed: readonly string[] },
): Promise<void> {
  if (endedHow === 'died') return
  const last = await lastCopiesAmong(tx, genotypes, plantIds)
  const lastNames = new Set(last.map(({ number }) => genotypeName(number)))
  const unconfirmed = last.filter(({ number }) => !confirmed.includes(genotypeName(number)))
  if (unconfirmed.length > 0) {
    const action = endTexts[endedHow]
    const fields = Object.fromEntries(last.map((genotype) => [genotypeName(genotype.number), warningOf(genotype, action.one)]))
    const [only] = last
    const message = last.length === 1 && only ? warningOf(only, action.one) : warningOfMany(last, action.many)
    throw new AppError('last_copy', { message, fields })
  }
  const superfluous = new Set(confirmed.filter((name) => !lastNames.has(name)))
  if (superfluous.size > 0) {
    const messageOf = (name: string) => `${name} wouldn’t lose its last living copy. Review the list, then confirm only phenos that would.`
    const fields = Object.fromEntries([...superfluous].map((name) => [name, messageOf(name)]))
    throw new AppError('last_copy', { message: Object.values(fields)[0] as string, fields })
  }
}

async function lastCopiesAmong(tx: Tx, genotypes: readonly Genotype[], plantIds: readonly string[]): Promise<Genotype[]> {
  const { rows } = await sql<{ genotype_id: string }>`
    select genotype_id from plants
    where genotype_id = any(${genotypes.map(({ id }) => id)}::uuid[]) and ended_on is null
    group by genotype_id
    having bool_and(id = any(${plantIds}::uuid[]))`.execute(tx)
  const ids = new Set(rows.map((row) => row.genotype_id))
  return genotypes.filter(({ id }) => ids.has(id)).sort((a, b) => a.number - b.number)
}

const called = ({ number, label }: Genotype): string => (label === '' ? genotypeName(number) : `${genotypeName(number)} “${label}”`)

function warningOf(genotype: Genotype, action: string): string {
  const { number, standing } = genotype
  const name = genotypeName(number)
  if (standing === 'keep' || standing === 'breed') {
    const mark = standing === 'keep' ? 'as a keeper' : 'to breed with'
    return `${called(genotype)} is marked ${mark} and has no other living copy. Cut a clone first, or type ${name} to ${action}.`
  }
  return `${called(genotype)} has no other living copy. Type ${name} to ${action}.`
}

function warningOfMany(genotypes: readonly Genotype[], action: string): string {
  const named = genotypes.slice(0, 5).map(called)
  const more = genotypes.length > 5 ? ` and ${genotypes.length - 5} more` : ''
  const keepers = genotypes.filter(({ standing }) => standing === 'keep' || standing === 'breed').length
  const warning = keepers > 0 ? ` ${keepers} of them ${keepers === 1 ? 'is' : 'are'} marked to keep or to breed with.` : ''
  return `${genotypes.length} have no other living copy: ${named.join(', ')}${more}.${warning} Type their numbers to ${action}.`
}
