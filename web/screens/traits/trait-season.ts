import { growthStages } from '#contracts/grow-logs.rules.ts'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { Trait } from '#contracts/traits.ts'

type Window = Pick<Trait, 'fromStage' | 'toStage'>

/** Whether a trait is observed in any of these stages. True if the stages are unknown. */
export function isInSeason({ fromStage, toStage }: Window, stages: ReadonlySet<GrowthStage>): boolean {
  if (stages.size === 0) return true
  const from = fromStage === null ? 0 : growthStages.indexOf(fromStage)
  const to = toStage === null ? growthStages.length - 1 : growthStages.indexOf(toStage)
  return [...stages].some((stage) => growthStages.indexOf(stage) >= from && growthStages.indexOf(stage) <= to)
}

/** Splits traits into those observed now and the others, both in their given order. If none is observed now, all count as `now`. */
export function bySeason<Each extends Window>(traits: readonly Each[], stages: ReadonlySet<GrowthStage>): { now: Each[]; later: Each[] } {
  const now = traits.filter((trait) => isInSeason(trait, stages))
  return now.length === 0 ? { now: [...traits], later: [] } : { now, later: traits.filter((trait) => !now.includes(trait)) }
}
