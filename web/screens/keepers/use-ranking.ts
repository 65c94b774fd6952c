import { useDeferredValue, useMemo } from 'react'
import { type RankableHunt, rankableHunt } from '#agronomy/hunt-ranking.ts'
import { type NextMeasurements, nextMeasurements } from '#agronomy/next-measurement.ts'
import { type PreparedRanking, prepareRanking } from '#agronomy/prepare-ranking.ts'
import { type Ranking, rankKeepers, type Verdict } from '#agronomy/rank.ts'
import { testWeights } from '#agronomy/sensitivity.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Run } from '#contracts/runs.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { choiceWords, listWords } from '#web/lib/format.ts'

export type Weights = Record<string, number>
type WeightTest = NonNullable<ReturnType<typeof testWeights>>

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

/** "41%", "under 1%": an estimated chance is never exactly 0 or 1. */
export function chanceText(chance: number): string {
  if (chance < 0.01) return 'under 1%'
  if (chance > 0.99) return 'over 99%'
  return `${Math.round(chance * 100)}%`
}

type Names = (genotypeId: string) => string

export function verdictText(verdict: Verdict, chanceOfLeader: number, nameOf: Names): string {
  switch (verdict.kind) {
    case 'no-candidates':
      return 'Nothing left to rank: every pheno has been culled.'
    case 'no-weights':
      return 'No trait counts yet. Give at least one a weight.'
    case 'no-records':
      return 'The traits that count haven’t been scored yet.'
    case 'clear':
      return `Keep ${nameOf(verdict.leaderId)}: ${chanceText(chanceOfLeader)} chance it’s the best.`
    case 'too-close': {
      const leader = nameOf(verdict.leaderId)
      const others = verdict.withinReach.map(nameOf)
      const few = others.length > 4 ? `${leader} and ${others.length} others` : listWords([leader, ...others])
      return `Too close to call. ${leader} leads with a ${chanceText(chanceOfLeader)} chance of being the best. Keep ${few} for now: 90% chance the best is among them.`
    }
  }
}

export function sensitivityText(test: WeightTest, nameOf: Names, traitName: (id: string) => string): string[] {
  const winner = nameOf(test.winnerId)
  const changing = test.changes.filter(({ changesWinner }) => changesWinner)
  if (changing.length > 0) {
    return changing.map(
      ({ traitId, factor, winnerId }) =>
        `If ${traitName(traitId)} counted ${Math.round(Math.abs(factor - 1) * 100)}% ${factor > 1 ? 'more' : 'less'}, ${nameOf(winnerId)} would lead.`,
    )
  }
  if (test.overtakers.length === 0) return [`${winner} leads even if any weights move by 20%.`]
  const rivals = test.overtakers.slice(0, 3).map(({ id }) => nameOf(id))
  return [
    `No single weight changes the leader, ${winner}, if moved by 20%. If several weights shift together, ${choiceWords(rivals)} could lead.`,
  ]
}
