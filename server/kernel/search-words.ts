import { foldText } from './fold-text.ts'

const maxWords = 8
const maxWordLength = 40

/** Runs of letters and digits, without case and diacritics. Apostrophes don't end words: "Nature's" and "natures" are equal. */
export const wordsOf = (text: string): string[] =>
  (
    foldText(text)
      .replace(/'/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => [...word].slice(0, maxWordLength).join(''))

/** The distinct words of a query, up to a limit. */
export const wordsAsked = (question: string): string[] => [...new Set(wordsOf(question))].slice(0, maxWords)
