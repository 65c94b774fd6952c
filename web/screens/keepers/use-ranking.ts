import { useDeferredValue, useMemo } from 'react'
import { type RankableHunt, rankableHunt } from '#agronomy/hunt-ranking.ts'
import { type NextMeasurements, nextMeasurements } from '#agronomy/next-measurement.ts'
import { type PreparedRanking, prepareRanking } from '#agronomy/prepare-ranking.ts'
import { type Ranking, rankKeepers } from '#agronomy/rank.ts'
import { testWeights } from '#agronomy/sensitivity.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Run } from '#contracts/runs.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'

export type Weights = Record<string, number>
export type WeightTest = NonNullable<ReturnType<typeof testWeights>>

type HuntData = {
  genotypes: readonly Genotype[]
  traits: readonly Trait[]
  runs: readonly Run[]
  records: readonly TraitRecord[]
}

export type LiveRanking = {
  rankable: RankableHunt
  prepared: PreparedRanking
  ranking: Ranking
  /** Effect of changing a weight by 20%; null if nothing is ranked. */
  test: WeightTest | null
  next: NextMeasurements
  /** The weights have moved on, and the result is catching up. */
  isBehind: boolean
}

/**
 * The same ranking as `GET /api/pheno-hunts/:id/ranking`, from the same records and functions, but with weights being edited.
 * Computes what doesn't depend on weights only once.
 */
export function useRanking({ genotypes, traits, runs, records }: HuntData, moved: Weights): LiveRanking {
  const rankable = useMemo(
    () =>
      rankableHunt({
        genotypes: genotypes.map(({ id, standing, plants }) => ({
          id,
          standing,
          plants: plants.map((plant) => ({ id: plant.id, isAlive: plant.endedOn === null })),
        })),
        traits,
        runs,
        records,
      }),
    [genotypes, traits, runs, records],
  )
  const prepared = useMemo(() => prepareRanking(rankable.input), [rankable])
  // Deferred, so that the slider stays responsive.
  const weights = useDeferredValue(moved)
  const ranking = useMemo(() => rankKeepers(prepared, weights), [prepared, weights])
  const test = useMemo(() => testWeights(prepared, weights), [prepared, weights])
  const next = useMemo(() => nextMeasurements(prepared, weights), [prepared, weights])
  return { rankable, prepared, ranking, test, next, isBehind: weights !== moved }
}
