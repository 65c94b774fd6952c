import { type GrowthStage, growthStages } from '../../../contracts/grow-logs.ts'
import type { Trait } from '../../../contracts/traits.ts'

type Window = Pick<Trait, 'fromStage' | 'toStage'>

/** Whether a trait is looked at while plants are in these stages. While nobody said in which they are, all are. */
export function isInSeason({ fromStage, toStage }: Window, stages: ReadonlySet<GrowthStage>): boolean {
  if (stages.size === 0) return true
  const from = fromStage === null ? 0 : growthStages.indexOf(fromStage)
  const to = toStage === null ? growthStages.length - 1 : growthStages.indexOf(toStage)
  return [...stages].some((stage) => growthStages.indexOf(stage) >= from && growthStages.indexOf(stage) <= to)
}

/** Those that are looked at now before the others, each in their order. */
export function bySeason<Each extends Window>(traits: readonly Each[], stages: ReadonlySet<GrowthStage>): { now: Each[]; later: Each[] } {
  const now = traits.filter((trait) => isInSeason(trait, stages))
  return now.length === 0 ? { now: [...traits], later: [] } : { now, later: traits.filter((trait) => !now.includes(trait)) }
}
