import type { Genotype } from '#contracts/plants.ts'
import type { SeedLot } from '#contracts/seed-lots.endpoints.ts'
import { fullName } from '#web/entities/plants/plant-words.ts'

export const seedTypeWords: Record<SeedLot['seedType'], string> = { regular: 'Regular', feminized: 'Feminized', auto: 'Auto' }

type Cross = Pick<SeedLot, 'mother' | 'father' | 'motherGenotypeId' | 'fatherGenotypeId' | 'isSelfed' | 'generation'>

/** "Haze × Skunk F1", "#7 Gas selfed S1", "Unnamed cross". Parents from the hunt have their current names. */
export function crossWords(lot: Cross, genotypes: readonly Pick<Genotype, 'id' | 'name' | 'label'>[] = []): string {
  const called = (genotypeId: string | null, name: string): string => {
    const genotype = genotypes.find(({ id }) => id === genotypeId)
    return genotype ? fullName(genotype) : name
  }
  const mother = called(lot.motherGenotypeId, lot.mother)
  const father = called(lot.fatherGenotypeId, lot.father)
  const cross = lot.isSelfed
    ? `${mother || 'Unknown'} selfed`
    : mother || father
      ? `${mother || 'Unknown'} × ${father || 'unknown'}`
      : 'Unnamed cross'
  return lot.generation === '' ? cross : `${cross} ${lot.generation}`
}
