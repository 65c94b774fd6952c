import { formatNumber } from './format.ts'

/** "1 plant", "1,204 plants"; `many` where an s does not do. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${formatNumber(count)} ${count === 1 ? one : many}`
