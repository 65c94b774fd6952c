const and = new Intl.ListFormat('en-US', { type: 'conjunction' })
const or = new Intl.ListFormat('en-US', { type: 'disjunction' })

/** "Rows A, B, and C". */
export const listWords = (parts: readonly string[]): string => and.format(parts)

/** "A, B, or C". */
export const choiceWords = (parts: readonly string[]): string => or.format(parts)
