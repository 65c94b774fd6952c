import type { Genotype, Sex, Standing } from '#contracts/plants.ts'

/** Filters of the genotype list. `open`: undecided. */
export type PlantFilter = {
  standing?: Standing | 'open' | undefined
  sex?: Sex | undefined
  isAliveOnly?: boolean | undefined
  text?: string | undefined
}

/** “7” finds #7 before #70; words match labels. */
export function filterGenotypes(genotypes: readonly Genotype[], { standing, sex, isAliveOnly, text = '' }: PlantFilter): Genotype[] {
  const wanted = text.trim().replace(/^#/, '').toLowerCase()
  const found = genotypes.filter(
    (genotype) =>
      (standing === undefined || genotype.standing === (standing === 'open' ? null : standing)) &&
      (sex === undefined || genotype.sex === sex) &&
      (!isAliveOnly || genotype.livingCopies > 0) &&
      (wanted === '' || String(genotype.number).startsWith(wanted) || genotype.label.toLowerCase().includes(wanted)),
  )
  const exact = found.filter(({ number }) => String(number) === wanted)
  return [...exact, ...found.filter(({ number }) => String(number) !== wanted)]
}
