import { sql } from 'kysely'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import { figure } from '#contracts/fields.ts'
import type { NewHuntCross } from '#contracts/hunts.ts'
import { maxPlantsAtOnce } from '#contracts/limits.ts'
import type { addClones as clonesContract, addSeeds as seedsContract } from '#contracts/plants.endpoints.ts'
import { type GenotypeKind, plantName } from '#contracts/plants.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordHuntEvents, requireDayPassed, requireHunt, reserveNumbers, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { freshCodes, plantRoom, readGenotypes, readPlants } from './read-plants.ts'
import { lockGenotypes } from './require-plant-things.ts'

type Seeds = {
  huntId: string
  count: number
  /** IDs for the genotypes; by default new ones. */
  ids?: readonly string[] | undefined
  kind?: GenotypeKind
  seedLotId: string | null
  /** When germination started; null if it hasn't or the day is unknown. */
  startedOn: string | null
  recordedBy: string
  now: Date
}

/**
 * Numbers seeds: each is a genotype with one plant. Requires a hunt that is locked for update or was just created. Returns the
 * genotype IDs in order of number.
 */
export async function addSeeds(tx: Tx, seeds: Seeds): Promise<string[]> {
  const { huntId, count, kind = 'seed', seedLotId, startedOn, recordedBy, now } = seeds
  if (count === 0) return []
  const first = await reserveNumbers(tx, huntId, count)
  const ids = seeds.ids ? [...seeds.ids] : Array.from({ length: count }, newId)
  await sql`
    insert into genotypes (id, hunt_id, kind, seed_lot_id, number, created_at)
    select id, ${huntId}::uuid, ${kind}, ${seedLotId}::uuid, ${first}::integer + position - 1, ${now}::timestamptz
    from unnest(${ids}::uuid[]) with ordinality as seed (id, position)`.execute(tx)
  const codes = await freshCodes(tx, count)
  await sql`
    insert into plants (id, hunt_id, genotype_id, kind, copy, code, started_on, created_at)
    select id, ${huntId}::uuid, genotype_id, 'seed', 0, code, ${startedOn}::date, ${now}::timestamptz
    from unnest(${Array.from({ length: count }, newId)}::uuid[], ${ids}::uuid[], ${codes}::text[]) as seed (id, genotype_id, code)`.execute(
    tx,
  )
  // One event for all seeds; each genotype's own history starts with the genotype itself.
  const detail = { count, from: first, to: first + count - 1 }
  await recordHuntEvents(tx, [{ huntId, kind: 'seeds.added', detail, happenedOn: startedOn ?? today(now), recordedBy, now }])
  return ids
}

/** Adds the seeds of a hunt being created, with a seed lot if the cross is known. */
export async function addFirstSeeds(tx: Tx, { cross, ...seeds }: Omit<Seeds, 'seedLotId'> & { cross: NewHuntCross | null }): Promise<void> {
  const seedLotId = cross ? newId() : null
  if (cross && seedLotId !== null) {
    await tx
      .insertInto('seed_lots')
      .values({
        id: seedLotId,
        hunt_id: seeds.huntId,
        mother: cross.mother,
        father: cross.isSelfed ? '' : cross.father,
        is_selfed: cross.isSelfed,
        generation: cross.generation,
        seed_type: cross.seedType,
        seed_count: seeds.count,
        created_at: seeds.now,
      })
      .execute()
  }
  await addSeeds(tx, { ...seeds, seedLotId })
}

/** With `ids`, one for each seed, returns the existing genotypes if these IDs are taken. */
export async function addMoreSeeds(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  input: Parsed<(typeof seedsContract)['body']> & { ids?: readonly string[] },
  idempotency: IdempotencyKey | null,
): Promise<ResponseOf<typeof seedsContract>> {
  const now = ctx.clock.now()
  if (input.startedOn !== null) requireDayPassed('startedOn', input.startedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    return once(tx, actor.id, idempotency, now, async () => {
      if (input.seedLotId !== null) await requireLot(tx, huntId, input.seedLotId)
      const there = await inHunt(tx, 'genotypes', huntId, input.ids)
      const ids = there ?? (await addSeeds(tx, { huntId, ...input, recordedBy: actor.id, now }))
      return { genotypes: await readGenotypes(tx, hunt.id, ids), room: await plantRoom(tx, huntId) }
    })
  })
}

/** Locks one of this hunt's seed lots, so that it can't be deleted. */
export async function requireLot(tx: Tx, huntId: string, lotId: string): Promise<void> {
  const lot = await tx
    .selectFrom('seed_lots')
    .select('id')
    .where('id', '=', lotId)
    .where('hunt_id', '=', huntId)
    .forKeyShare()
    .executeTakeFirst()
  if (!lot) throw invalidField('seedLotId', 'Choose a seed lot from this hunt')
}

/** Returns these IDs if they are taken in this hunt, and null if they are free or omitted. @throws AppError conflict */
async function inHunt(tx: Tx, table: 'genotypes' | 'plants', huntId: string, ids: readonly string[] | undefined): Promise<string[] | null> {
  if (!ids) return null
  const there = await tx.selectFrom(table).select('hunt_id').where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  if (there.length === 0) return null
  if (there.length === ids.length && there.every((row) => row.hunt_id === huntId)) return [...ids]
  throw new AppError('conflict', { message: 'One of these IDs is taken. Send new ones.' })
}

type Input = Parsed<(typeof clonesContract)['body']> & { ids?: readonly string[] }
type Answer = ResponseOf<typeof clonesContract>

/**
 * Cuts clones. Copy numbers continue from the highest the genotype has ever had. With `ids`, one for each clone, returns the existing plants
 * if these IDs are taken.
 */
export async function addClones(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  input: Input,
  idempotency: IdempotencyKey | null,
): Promise<Answer> {
  const now = ctx.clock.now()
  const cutOn = input.cutOn ?? today(now)
  requireFitting(input, cutOn, now)
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    return once(tx, actor.id, idempotency, now, async () => {
      // The lock on the genotype serializes the numbering of its clones.
      await lockGenotypes(
        tx,
        huntId,
        input.cuts.map(({ genotypeId }) => genotypeId),
      )
      const there = await inHunt(tx, 'plants', huntId, input.ids)
      if (there) return { plants: await readPlants(tx, hunt.id, there), room: await plantRoom(tx, huntId) }
      const clones = (await planClones(tx, input.cuts, cutOn)).map((clone, i) => ({ ...clone, id: input.ids?.[i] ?? clone.id }))
      const codes = await freshCodes(tx, clones.length)
      await tx
        .insertInto('plants')
        .values(
          clones.map(({ id, genotypeId, copy, cutFromId }, i) => ({
            id,
            hunt_id: huntId,
            genotype_id: genotypeId,
            kind: 'clone' as const,
            copy,
            cut_from_id: cutFromId,
            code: codes[i] as string,
            cut_on: cutOn,
            rooted_on: input.rootedOn,
            created_at: now,
          })),
        )
        .execute()
      const happened = { huntId, recordedBy: actor.id, now }
      await recordHuntEvents(
        tx,
        clones.flatMap(({ id, genotypeId }) => {
          const about = { ...happened, genotypeId, plantId: id }
          const cut = { ...about, kind: 'plant.cut' as const, happenedOn: cutOn }
          return input.rootedOn === null ? [cut] : [cut, { ...about, kind: 'plant.rooted' as const, happenedOn: input.rootedOn }]
        }),
      )
      const ids = clones.map(({ id }) => id)
      return { plants: await readPlants(tx, hunt.id, ids), room: await plantRoom(tx, huntId) }
    })
  })
}

function requireFitting({ cuts, rootedOn }: Input, cutOn: string, now: Date): void {
  requireDayPassed('cutOn', cutOn, now)
  if (rootedOn !== null) {
    requireDayPassed('rootedOn', rootedOn, now)
    if (rootedOn < cutOn) throw invalidField('rootedOn', 'A clone can’t root before it’s cut')
  }
  const count = cuts.reduce((sum, cut) => sum + cut.count, 0)
  if (count > maxPlantsAtOnce) throw invalidField('cuts', `At most ${figure(maxPlantsAtOnce)} clones at once`)
}

type Clone = { id: string; genotypeId: string; copy: number; cutFromId: string | null }

async function planClones(tx: Tx, cuts: Input['cuts'], cutOn: string): Promise<Clone[]> {
  const { rows } = await sql<{
    id: string
    genotype_id: string
    number: number
    copy: number
    is_mother: boolean
    ended_on: string | null
  }>`
    select plants.id, plants.genotype_id, genotypes.number, plants.copy, plants.is_mother, plants.ended_on
    from plants join genotypes on genotypes.id = plants.genotype_id
    where plants.genotype_id = any(${cuts.map(({ genotypeId }) => genotypeId)}::uuid[])
    order by plants.copy`.execute(tx)
  const plants = Map.groupBy(rows, (row) => row.genotype_id)
  const next = new Map([...plants].map(([id, own]) => [id, Math.max(0, ...own.map(({ copy }) => copy)) + 1]))
  return cuts.flatMap(({ genotypeId, fromPlantId, count }, i) => {
    const own = plants.get(genotypeId) ?? []
    const living = own.filter((plant) => plant.ended_on === null || plant.ended_on >= cutOn)
    const from = fromPlantId === null ? (living.find((plant) => plant.is_mother) ?? living[0]) : own.find(({ id }) => id === fromPlantId)
    if (fromPlantId !== null && !from) throw invalidField(`cuts.${i}.fromPlantId`, 'Choose a plant of this pheno')
    if (from?.ended_on && from.ended_on < cutOn) {
      throw invalidField(
        `cuts.${i}.fromPlantId`,
        `${plantName(from.number, from.copy)} ended on ${from.ended_on}, before these clones were cut`,
      )
    }
    const first = next.get(genotypeId) ?? 1
    next.set(genotypeId, first + count)
    return Array.from({ length: count }, (_, n) => ({ id: newId(), genotypeId, copy: first + n, cutFromId: from?.id ?? null }))
  })
}
