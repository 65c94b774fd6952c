import { formatNumber } from '../../lib/format.ts'

export type Counted = { count: number; isCapped: boolean }

/** "1,000+" where nobody counted further. */
export const countText = ({ count, isCapped }: Counted): string => `${formatNumber(count)}${isCapped ? '+' : ''}`

export const sum = (parts: readonly Counted[]): Counted => ({
  count: parts.reduce((total, { count }) => total + count, 0),
  isCapped: parts.some(({ isCapped }) => isCapped),
})
