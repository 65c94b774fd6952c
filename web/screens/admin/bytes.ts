import { numberFormat } from '#web/lib/format.ts'

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
const oneDigit = numberFormat({ maximumFractionDigits: 1 })

/** 1536 → "1.5 KB", with 1 KB = 1024 bytes as in file managers. */
export function bytes(count: number): string {
  const power = count < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(count) / Math.log(1024)))
  return `${oneDigit.format(count / 1024 ** power)} ${count === 1 ? 'byte' : units[power]}`
}
