import { sql } from 'kysely'
import type { HuntAccess } from '#contracts/hunts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { asLocked } from '#server/db/locked.ts'
import { type AccessibleHunt, requireHuntOfRow } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'

const missing = {
  genotypes: 'Pheno not found.',
  plants: 'Plant not found.',
  seed_lots: 'Seed lot not found.',
  runs: 'Run not found.',
  decisions: 'Decision not found.',
} as const

/**
 * Checks access to something addressed by its own ID and returns its hunt, like `requireHunt`. A missing row and an inaccessible one give
 * the same error.
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

export type LockedGenotype = Awaited<ReturnType<typeof lockGenotypes>>[number]

/** Locks genotypes for update, in ID order and without duplicates. */
export async function lockGenotypes(tx: Tx, huntId: string, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('genotypes')
    .select(['id', 'kind', 'number', 'label', 'sex', 'standing', 'version'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('hunt_id', '=', huntId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (rows.length < new Set(ids).size) throw notFound('Pheno not found in this hunt.')
  return rows.map((row) => ({ ...row, id: asLocked('genotypes', row.id) }))
}

export type LockedPlant = Awaited<ReturnType<typeof lockPlants>>[number]

/** Locks plants for update, in ID order and without duplicates. */
export async function lockPlants(tx: Tx, huntId: string, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('plants')
    .selectAll()
    .select(sql<number>`(select number from genotypes where genotypes.id = plants.genotype_id)`.as('number'))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('hunt_id', '=', huntId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (rows.length < new Set(ids).size) throw notFound('Plant in this hunt not found.')
  return rows.map((row) => ({ ...row, id: asLocked('plants', row.id) }))
}

export async function genotypeIdsOf(db: Db, huntId: string, plantIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('plants')
    .select(['id', 'genotype_id'])
    .where(sql<boolean>`id = any(${plantIds}::uuid[])`)
    .where('hunt_id', '=', huntId)
    .execute()
  if (rows.length < new Set(plantIds).size) throw notFound('Plant in this hunt not found.')
  return [...new Set(rows.map((row) => row.genotype_id))]
}

export const changedMeanwhile = (what: string) =>
  new AppError('conflict', { message: `This ${what} was changed in the meantime. Reload it to see what’s new.` })
