import { sql } from 'kysely'
import type { HuntToRank } from '#agronomy/hunt-ranking.ts'
import type { Db } from '#server/db/connect.ts'
import { readTraitRecords } from '#server/features/traits/index.ts'

export type NamedGenotype = { id: string; number: number; label: string }

/** The ranking's input. The caller must have checked access. */
export async function huntToRank(db: Db, huntId: string): Promise<{ hunt: HuntToRank; names: NamedGenotype[]; isComplete: boolean }> {
  const genotypes = await db
    .selectFrom('genotypes')
    .select(['id', 'number', 'label', 'standing'])
    .select(
      sql<{ id: string; isAlive: boolean }[]>`(
        select coalesce(json_agg(json_build_object('id', plants.id, 'isAlive', plants.ended_on is null) order by plants.copy), '[]')
        from plants where plants.genotype_id = genotypes.id)`.as('plants'),
    )
    .where('hunt_id', '=', huntId)
    .orderBy('number')
    .execute()
  const traits = await db
    .selectFrom('traits')
    .select(['id', 'direction', 'low', 'high', 'target', 'weight', 'heritability', 'is_archived as isArchived'])
    .where('hunt_id', '=', huntId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const runs = await db.selectFrom('runs').select(['id', 'check_genotype_id as checkGenotypeId']).where('hunt_id', '=', huntId).execute()
  const { records, isComplete } = await readTraitRecords(db, huntId)
  return {
    hunt: {
      genotypes,
      traits: traits.map((trait) => ({ ...trait, direction: trait.direction as HuntToRank['traits'][number]['direction'] })),
      runs,
      records,
    },
    names: genotypes,
    isComplete,
  }
}

export const traitNames = async (db: Db, huntId: string): Promise<Map<string, string>> =>
  new Map((await db.selectFrom('traits').select(['id', 'name']).where('hunt_id', '=', huntId).execute()).map(({ id, name }) => [id, name]))
