import { foldText } from './fold-text.ts'

const mostWords = 8
const longestWord = 40

/** Runs of letters and digits, without case and marks. An apostrophe is no end of a word: "Nature's" and "natures" are one. */
export const wordsOf = (text: string): string[] =>
  (
    foldText(text)
      .replace(/'/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => [...word].slice(0, longestWord).join(''))

/** The words of a question, each once, and no more than anybody types. */
export const wordsAsked = (question: string): string[] => [...new Set(wordsOf(question))].slice(0, mostWords)
