import { sql } from 'kysely'
import type { HuntAccess } from '../../../contracts/hunts.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type AccessibleHunt, requireHuntOfRow } from '../hunts/index.ts'

const missing = {
  genotypes: 'There is no such genotype.',
  plants: 'There is no such plant.',
  seed_lots: 'There is no such seed lot.',
  runs: 'There is no such run.',
  decisions: 'There is no such decision.',
} as const

/**
 * The gate for a thing of a hunt that is addressed by its own id: the hunt that it is in, as `requireHunt` answers it. Whether it is
 * absent or somebody else's is not told apart.
 * @throws AppError not_found, forbidden
 */
export async function requireHuntOf(
  db: Db,
  actor: Pick<Actor, 'id'>,
  table: keyof typeof missing,
  id: string,
  wanted: HuntAccess,
  options: { lock?: 'share' | 'update' } = {},
): Promise<AccessibleHunt> {
  const thing = await db.selectFrom(table).select('hunt_id').where('id', '=', id).executeTakeFirst()
  return requireHuntOfRow(db, actor, thing, missing[table], wanted, options)
}

export type HeldGenotype = Awaited<ReturnType<typeof holdGenotypes>>[number]

/** Held against every other write until the transaction ends. Each once, by id. @throws AppError not_found */
export async function holdGenotypes(tx: Tx, huntId: string, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('genotypes')
    .select(['id', 'number', 'label', 'sex', 'standing', 'version'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('hunt_id', '=', huntId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (rows.length < new Set(ids).size) throw notFound('There is no such genotype in this hunt.')
  return rows
}

export type HeldPlant = Awaited<ReturnType<typeof holdPlants>>[number]

/** Held against every other write until the transaction ends. Each once, by id. @throws AppError not_found */
export async function holdPlants(tx: Tx, huntId: string, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('plants')
    .selectAll()
    .select(sql<number>`(select number from genotypes where genotypes.id = plants.genotype_id)`.as('number'))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('hunt_id', '=', huntId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (rows.length < new Set(ids).size) throw notFound('There is no such plant in this hunt.')
  return rows
}

/** To whose genotypes these plants belong, each once. @throws AppError not_found */
export async function genotypeIdsOf(db: Db, huntId: string, plantIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('plants')
    .select(['id', 'genotype_id'])
    .where(sql<boolean>`id = any(${plantIds}::uuid[])`)
    .where('hunt_id', '=', huntId)
    .execute()
  if (rows.length < new Set(plantIds).size) throw notFound('There is no such plant in this hunt.')
  return [...new Set(rows.map((row) => row.genotype_id))]
}

export const changedMeanwhile = (what: string) =>
  new AppError('conflict', { message: `Somebody changed this ${what} meanwhile. Load it again to see what is new.` })
