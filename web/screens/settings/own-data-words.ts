import { dateFormat, numberFormat } from '#web/lib/format.ts'

const day = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** "December 5, 2026" */
export const dayWords = (iso: string): string => day.format(new Date(iso))

const size = numberFormat({ maximumFractionDigits: 1 })
const units = ['KB', 'MB', 'GB'] as const

/** "3.2 MB", at least 1 KB. */
export function sizeWords(bytes: number): string {
  let count = Math.max(1, bytes / 1024)
  let unit = 0
  for (; count >= 1024 && unit < units.length - 1; unit++) count /= 1024
  return `${size.format(count)} ${units[unit]}`
}
