import { productCategories, strainTypes } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory, StrainType } from '#contracts/menu-fields.ts'
import { searchWords } from '#server/features/businesses/index.ts'

/** A word that items must match, in their text or by what it names. */
export type AskedWord = { text: string; categories: readonly ProductCategory[]; strainType: StrainType | null }

/** "Seeds & Clones" → "seeds", "clones"; "Pre-Rolls" → "prerolls", "rolls". */
const namesOf = (category: ProductCategory): string[] => {
  const words = category.toLowerCase().split(/[\s&]+/)
  return words.flatMap((word) => (word.includes('-') ? [word, word.replaceAll('-', ''), ...word.split('-').slice(1)] : [word]))
}

/** "Other" is a category, but no one looks for it by that word. */
const named = productCategories.filter((category) => category !== 'Other').map((category) => ({ category, names: namesOf(category) }))

/** "edible gummies" → "edible", which also names Edibles, and "gummies". */
export const askedWords = (text: string): AskedWord[] =>
  searchWords(text).map((word) => ({
    text: word,
    categories: named.filter(({ names }) => names.includes(word) || names.includes(`${word}s`)).map(({ category }) => category),
    strainType: strainTypes.find((type) => type === word) ?? null,
  }))
