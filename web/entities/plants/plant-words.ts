import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { EndKind, Genotype, Plant, Sex, Standing } from '#contracts/plants.ts'
import { formatNumber } from '#web/lib/format.ts'

export const sexWords: Record<Sex, string> = { unknown: 'Not sexed', female: 'Female', male: 'Male', intersex: 'Intersex' }
export const standingWords: Record<Standing, string> = { keep: 'Keep', retest: 'Retest', cull: 'Cull', breed: 'Breed with' }
export const endWords: Record<EndKind, string> = { culled: 'Culled', harvested: 'Harvested', died: 'Died', given_away: 'Given away' }

export const endVerbs: Record<EndKind, string> = { culled: 'Cull', harvested: 'Harvest', died: 'Mark as dead', given_away: 'Give away' }

export const stageWords: Record<GrowthStage, string> = {
  germination: 'Germination',
  seedling: 'Seedling',
  vegetative: 'Vegetative',
  flower: 'Flower',
  drying: 'Drying',
  curing: 'Curing',
}

/** “#7 Lemon” */
export const fullName = ({ name, label }: Pick<Genotype, 'name' | 'label'>): string => (label === '' ? name : `${name} ${label}`)

export const isAlive = ({ endedOn }: Pick<Plant, 'endedOn'>): boolean => endedOn === null
export const livingOf = ({ plants }: Pick<Genotype, 'plants'>): Plant[] => plants.filter(isAlive)

/** A genotype's stage is that of its most advanced plant. */
const stageOrder = Object.keys(stageWords) as GrowthStage[]
export function stageOf(genotype: Pick<Genotype, 'plants'>): GrowthStage | null {
  const living = livingOf(genotype)
  const stages = (living.length > 0 ? living : genotype.plants).flatMap(({ stage }) => stage ?? [])
  return stages.sort((a, b) => stageOrder.indexOf(b) - stageOrder.indexOf(a))[0] ?? null
}

export const lastLogOf = ({ plants }: Pick<Genotype, 'plants'>): string | null =>
  plants.reduce<string | null>(
    (last, { lastLoggedOn }) => (lastLoggedOn !== null && lastLoggedOn > (last ?? '') ? lastLoggedOn : last),
    null,
  )

/** "1 of 3 alive", "All 3 alive", "Harvested", "Gone" */
export function copiesWords({ plants, livingCopies }: Pick<Genotype, 'plants' | 'livingCopies'>): string {
  if (livingCopies === 0) return plants.some(({ endedHow }) => endedHow === 'harvested') ? 'Harvested' : 'Gone'
  if (plants.length === 1) return '1 alive'
  return livingCopies === plants.length ? `All ${plants.length} alive` : `${livingCopies} of ${plants.length} alive`
}

/** "3 plants live where 2 may": a hint; null if there is room or no limit. */
export function roomWords({
  livingPlants,
  plantLimit,
  overBy,
}: {
  livingPlants: number
  plantLimit: number | null
  overBy: number
}): string | null {
  if (plantLimit === null || overBy === 0) return null
  return `This hunt has ${formatNumber(livingPlants)} living plants, ${formatNumber(overBy)} over your limit of ${formatNumber(plantLimit)}.`
}
