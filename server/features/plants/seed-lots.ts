import { sql } from 'kysely'
import { maxSeedLots, type NewSeedLot, type SeedLot, type SeedLotChange } from '#contracts/seed-lots.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction, retryOn } from '#server/db/transaction.ts'
import { huntAccess, ownAndSharedHunts, requireHunt, requireHuntWords } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { changedMeanwhile, requireHuntOf } from './require-plant-things.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

export async function listSeedLots(db: Db, actor: Actor, huntId: string): Promise<SeedLot[]> {
  await requireHunt(db, actor, huntId, 'view')
  const lots = await selectLots(db)
    .where('seed_lots.hunt_id', '=', huntId)
    .orderBy('seed_lots.created_at')
    .orderBy('seed_lots.id')
    .execute()
  return toSeedLots(db, actor, lots)
}

/** Returns the existing lot if the hunt has one with this ID. */
export async function createSeedLot(ctx: Ctx, actor: Actor, huntId: string, input: NewSeedLot): Promise<SeedLot> {
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await requireHuntWords(tx, actor, huntId, input)
    const { id = newId(), ...lot } = input
    const existing = await tx.selectFrom('seed_lots').select('hunt_id').where('id', '=', id).executeTakeFirst()
    if (existing) {
      if (existing.hunt_id !== huntId) throw new AppError('conflict', { message: 'This ID is taken. Send another one.' })
      return readSeedLot(tx, actor, id)
    }
    await requireRoom(tx, huntId)
    await requireParents(tx, actor, huntId, lot)
    await retryOn(
      'seed_lots_pkey',
      tx
        .insertInto('seed_lots')
        .values({ id, hunt_id: huntId, ...toRow(lot), created_at: ctx.clock.now() })
        .execute(),
    )
    return readSeedLot(tx, actor, id)
  })
}

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict on a stale version */
export async function updateSeedLot(ctx: Ctx, actor: Actor, id: string, { version, ...changes }: SeedLotChange): Promise<SeedLot> {
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'seed_lots', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, hunt.id, changes)
    const lot = await tx.selectFrom('seed_lots').select('version').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!lot) throw notFound('Seed lot not found.')
    if (lot.version !== version) throw changedMeanwhile('seed lot')
    const seen = await readSeedLot(tx, actor, id)
    const { id: _, huntId, genotypeCount, version: __, motherElsewhere, fatherElsewhere, ...before } = seen
    const after = { ...before, ...withoutUndefined(changes) }
    const isNew = (key: 'motherGenotypeId' | 'fatherGenotypeId') => after[key] !== before[key]
    await requireParents(tx, actor, hunt.id, {
      motherGenotypeId: isNew('motherGenotypeId') ? after.motherGenotypeId : null,
      fatherGenotypeId: isNew('fatherGenotypeId') ? after.fatherGenotypeId : null,
    })
    // Keeps a parent that this person can't see, unless they rename it.
    const { mother_genotype_id, father_genotype_id } = await tx
      .selectFrom('seed_lots')
      .select(['mother_genotype_id', 'father_genotype_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (seen.motherGenotypeId === null && after.mother === seen.mother) after.motherGenotypeId ??= mother_genotype_id
    if (seen.fatherGenotypeId === null && after.father === seen.father && !after.isSelfed) after.fatherGenotypeId ??= father_genotype_id
    await tx
      .updateTable('seed_lots')
      .set((eb) => ({ ...toRow(after), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    return readSeedLot(tx, actor, id)
  })
}

export async function deleteSeedLot(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireHuntOf(tx, actor, 'seed_lots', id, 'write', { lock: 'update' })
    await tx.deleteFrom('seed_lots').where('id', '=', id).execute()
  })
}

type Cross = Omit<NewSeedLot, 'id'>
type Parents = Pick<Cross, 'motherGenotypeId' | 'fatherGenotypeId'>

/** A selfed mother has no separate father. */
const toRow = (lot: Cross) => ({
  mother: lot.mother,
  father: lot.isSelfed ? '' : lot.father,
  mother_genotype_id: lot.motherGenotypeId,
  father_genotype_id: lot.isSelfed ? null : lot.fatherGenotypeId,
  is_selfed: lot.isSelfed,
  generation: lot.generation,
  breeder: lot.breeder,
  seed_type: lot.seedType,
  seed_count: lot.seedCount,
  source: lot.source,
})

async function requireParents(tx: Tx, actor: Actor, huntId: string, { motherGenotypeId, fatherGenotypeId }: Parents): Promise<void> {
  for (const [field, id] of Object.entries({ motherGenotypeId, fatherGenotypeId })) {
    if (id === null) continue
    const parent = await tx.selectFrom('genotypes').select('hunt_id').where('id', '=', id).executeTakeFirst()
    const isUsable =
      parent && (parent.hunt_id === huntId || (await ownAndSharedHunts(tx, actor)).some((hunt) => hunt.id === parent.hunt_id))
    if (!isUsable)
      throw invalidField(field, 'Choose a phenotype from this hunt, or from another hunt that you own or that is shared with you')
  }
}

async function requireRoom(tx: Tx, huntId: string): Promise<void> {
  const count = await countRows(tx.selectFrom('seed_lots').where('hunt_id', '=', huntId))
  if (count >= maxSeedLots) throw new AppError('conflict', { message: `A hunt can have up to ${maxSeedLots} seed lots.` })
}

const selectLots = (db: Db) =>
  db
    .selectFrom('seed_lots')
    .selectAll()
    .select(sql<number>`(select count(*) from genotypes where genotypes.seed_lot_id = seed_lots.id)`.as('genotype_count'))

async function readSeedLot(db: Db, actor: Actor, id: string): Promise<SeedLot> {
  const [lot] = await toSeedLots(db, actor, await selectLots(db).where('seed_lots.id', '=', id).execute())
  if (!lot) throw notFound('Seed lot not found.')
  return lot
}

type LotRow = Awaited<ReturnType<ReturnType<typeof selectLots>['execute']>>[number]

/** Parents in hunts this person can't see are only names. */
async function toSeedLots(db: Db, actor: Actor, rows: readonly LotRow[]): Promise<SeedLot[]> {
  const ids = rows.flatMap((row) => [row.mother_genotype_id ?? [], row.father_genotype_id ?? []].flat())
  const parents = ids.length === 0 ? [] : await parentsSeen(db, actor, ids)
  const byId = new Map(parents.map((parent) => [parent.id, parent]))
  return rows.map((row) => {
    const [mother, father] = [byId.get(row.mother_genotype_id ?? ''), byId.get(row.father_genotype_id ?? '')]
    const elsewhere = (parent: (typeof parents)[number] | undefined) =>
      parent && parent.huntId !== row.hunt_id
        ? { huntId: parent.huntId, huntName: parent.huntName, number: parent.number, label: parent.label }
        : null
    return {
      ...toSeedLot(row),
      ...{ motherGenotypeId: mother?.id ?? null, fatherGenotypeId: father?.id ?? null },
      ...{ motherElsewhere: elsewhere(mother), fatherElsewhere: elsewhere(father) },
    }
  })
}

const parentsSeen = (db: Db, actor: Actor, ids: readonly string[]) =>
  db
    .selectFrom('genotypes')
    .innerJoin('hunts', 'hunts.id', 'genotypes.hunt_id')
    .select(['genotypes.id', 'genotypes.number', 'genotypes.label', 'hunts.id as huntId', 'hunts.hunt_name as huntName'])
    .where(sql<boolean>`genotypes.id = any(${ids}::uuid[])`)
    .where(sql<boolean>`${huntAccess(sql`${actor.id}::uuid`)} is not null`)
    .execute()

const toSeedLot = (row: LotRow): Omit<SeedLot, 'motherElsewhere' | 'fatherElsewhere'> => ({
  id: row.id,
  huntId: row.hunt_id,
  mother: row.mother,
  father: row.father,
  motherGenotypeId: row.mother_genotype_id,
  fatherGenotypeId: row.father_genotype_id,
  isSelfed: row.is_selfed,
  generation: row.generation,
  breeder: row.breeder,
  seedType: row.seed_type,
  seedCount: row.seed_count,
  source: row.source,
  genotypeCount: row.genotype_count,
  version: row.version,
})

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
export const withoutUndefined = <T extends object>(changes: T): Defined<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<T>
