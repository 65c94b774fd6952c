import { sql } from 'kysely'
import { maxSeedLots, type NewSeedLot, type SeedLot, type SeedLotChange } from '#contracts/seed-lots.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction, retryOn } from '#server/db/transaction.ts'
import { requireHunt, requireHuntWords } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { changedMeanwhile, requireHuntOf } from './require-plant-things.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

export async function listSeedLots(db: Db, actor: Actor, huntId: string): Promise<SeedLot[]> {
  await requireHunt(db, actor, huntId, 'view')
  return (await selectLots(db).where('seed_lots.hunt_id', '=', huntId).orderBy('seed_lots.id').execute()).map(toSeedLot)
}

/** Returns the existing lot if the ID is taken. */
export async function createSeedLot(ctx: Ctx, actor: Actor, huntId: string, input: NewSeedLot): Promise<SeedLot> {
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await requireHuntWords(tx, actor, huntId, input)
    const { id = newId(), ...lot } = input
    const existing = await tx.selectFrom('seed_lots').select('hunt_id').where('id', '=', id).executeTakeFirst()
    if (existing) {
      if (existing.hunt_id !== huntId) throw new AppError('conflict', { message: 'This ID is taken. Send another one.' })
      return readSeedLot(tx, id)
    }
    await requireRoom(tx, huntId)
    await requireParents(tx, huntId, lot)
    await retryOn(
      'seed_lots_pkey',
      tx
        .insertInto('seed_lots')
        .values({ id, hunt_id: huntId, ...toRow(lot), created_at: ctx.clock.now() })
        .execute(),
    )
    return readSeedLot(tx, id)
  })
}

/** @throws AppError not_found, forbidden, invalid_input, conflict on a stale version */
export async function changeSeedLot(ctx: Ctx, actor: Actor, id: string, { version, ...changes }: SeedLotChange): Promise<SeedLot> {
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'seed_lots', id, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, hunt.id, changes)
    const lot = await tx.selectFrom('seed_lots').select('version').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!lot) throw notFound('Seed lot not found.')
    if (lot.version !== version) throw changedMeanwhile('seed lot')
    const { id: _, huntId, genotypeCount, version: __, ...before } = await readSeedLot(tx, id)
    const after = { ...before, ...withoutUndefined(changes) }
    await requireParents(tx, hunt.id, after)
    await tx
      .updateTable('seed_lots')
      .set((eb) => ({ ...toRow(after), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    return readSeedLot(tx, id)
  })
}

export async function deleteSeedLot(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireHuntOf(tx, actor, 'seed_lots', id, 'write', { lock: 'update' })
    await tx.deleteFrom('seed_lots').where('id', '=', id).execute()
  })
}

type Cross = Omit<NewSeedLot, 'id'>

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

async function requireParents(tx: Tx, huntId: string, { motherGenotypeId, fatherGenotypeId }: Cross): Promise<void> {
  for (const [field, id] of Object.entries({ motherGenotypeId, fatherGenotypeId })) {
    if (id === null) continue
    const parent = await tx.selectFrom('genotypes').select('id').where('id', '=', id).where('hunt_id', '=', huntId).executeTakeFirst()
    if (!parent) throw invalidField(field, 'Choose a genotype of this hunt')
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

async function readSeedLot(db: Db, id: string): Promise<SeedLot> {
  const row = await selectLots(db).where('seed_lots.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Seed lot not found.')
  return toSeedLot(row)
}

const toSeedLot = (row: Awaited<ReturnType<ReturnType<typeof selectLots>['execute']>>[number]): SeedLot => ({
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
