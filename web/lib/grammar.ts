import { formatNumber } from './format.ts'

/** "1 plant", "1,204 plants"; `many` for irregular plurals. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${formatNumber(count)} ${count === 1 ? one : many}`

const and = new Intl.ListFormat('en-US', { type: 'conjunction' })
const or = new Intl.ListFormat('en-US', { type: 'disjunction' })

/** "Rows A, B, and C". */
export const listWords = (parts: readonly string[]): string => and.format(parts)

/** "A, B, or C". */
export const choiceWords = (parts: readonly string[]): string => or.format(parts)
