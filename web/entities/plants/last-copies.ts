import type { EndKind, Genotype } from '#contracts/plants.ts'
import { livingOf } from './plant-words.ts'

/** Genotypes whose last copy would be lost, which must be confirmed by typing the number. Same rule as on the server; deaths are exempt. */
export function lastCopiesAmong(genotypes: readonly Genotype[], plantIds: ReadonlySet<string>, endedHow: EndKind): Genotype[] {
  if (endedHow === 'died') return []
  return genotypes.filter((genotype) => {
    const living = livingOf(genotype)
    return living.length > 0 && living.every(({ id }) => plantIds.has(id))
  })
}

/**
 * The requested names that were typed: "#7", "7", "3, 5 and 9", "12-15". A range includes all its numbers; numbers not requested are
 * ignored.
 */
export function typedNames(text: string, asked: readonly Pick<Genotype, 'number' | 'name'>[]): string[] {
  const stretches = [...text.matchAll(/(\d{1,10})(?:\s*[-–]\s*#?(\d{1,10}))?/g)].map(
    ([, first, last]) => [Number(first), Number(last ?? first)] as const,
  )
  return asked.filter(({ number }) => stretches.some(([first, last]) => number >= first && number <= last)).map(({ name }) => name)
}
