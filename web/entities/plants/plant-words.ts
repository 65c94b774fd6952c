import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { EndKind, Genotype, Plant, Sex, Standing } from '#contracts/plants.ts'
import type { ParentElsewhere, SeedLot } from '#contracts/seed-lots.endpoints.ts'
import { formatNumber } from '#web/lib/format.ts'

export const sexLabels: Record<Sex, string> = { unknown: 'Not sexed', female: 'Female', male: 'Male', intersex: 'Intersex' }
export const standingLabels: Record<Standing, string> = { keep: 'Keep', retest: 'Retest', cull: 'Cull', breed: 'Breed with' }
export const endWords: Record<EndKind, string> = { culled: 'Culled', harvested: 'Harvested', died: 'Died', given_away: 'Given away' }

export const endVerbs: Record<EndKind, string> = { culled: 'Cull', harvested: 'Harvest', died: 'Mark as dead', given_away: 'Give away' }

export const stageLabels: Record<GrowthStage, string> = {
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

const stageOrder = Object.keys(stageLabels) as GrowthStage[]

/** A genotype has the stage of its most advanced living plant, or of any plant if none is alive. */
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
  if (livingCopies < plants.length) return `${livingCopies} of ${plants.length} alive`
  return plants.length === 2 ? 'Both alive' : `All ${plants.length} alive`
}

/** Null if the hunt has room or no limit. */
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

export const seedTypeWords: Record<SeedLot['seedType'], string> = { regular: 'Regular', feminized: 'Feminized', auto: 'Auto' }

type Cross = Pick<SeedLot, 'mother' | 'father' | 'motherGenotypeId' | 'fatherGenotypeId' | 'isSelfed' | 'generation'> &
  Partial<Pick<SeedLot, 'motherElsewhere' | 'fatherElsewhere'>>

/** "#7 Gas", without its hunt, because people who see the seed lot may not see the hunt. */
export const elsewhereName = ({ number, label }: Pick<ParentElsewhere, 'number' | 'label'>): string =>
  label === '' ? `#${number}` : `#${number} ${label}`

/** "Haze × Skunk F1", "#7 Gas selfed S1" or "Unnamed cross". Uses the current names of parents that are phenos. */
export function crossWords(lot: Cross, genotypes: readonly Pick<Genotype, 'id' | 'name' | 'label'>[]): string {
  const called = (genotypeId: string | null, name: string, elsewhere?: ParentElsewhere | null): string => {
    const genotype = genotypes.find(({ id }) => id === genotypeId)
    return genotype ? fullName(genotype) : elsewhere ? elsewhereName(elsewhere) : name
  }
  const mother = called(lot.motherGenotypeId, lot.mother, lot.motherElsewhere)
  const father = called(lot.fatherGenotypeId, lot.father, lot.fatherElsewhere)
  const cross = lot.isSelfed
    ? `${mother || 'Unknown'} selfed`
    : mother || father
      ? `${mother || 'Unknown'} × ${father || 'unknown'}`
      : 'Unnamed cross'
  return lot.generation === '' ? cross : `${cross} ${lot.generation}`
}
