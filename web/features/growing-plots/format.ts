/** How plots, their tables and their readouts write a value: one way. */
import { dateFormat, localDateFormat, numberFormat } from '../../lib/format.ts'

/** What stands where nothing was measured. Never zero. */
export const missing = '–'

/** With exactly `digits` decimals, so that values below each other line up; without them at most two. */
export const numberText = (value: number, digits?: number | undefined): string =>
  numberFormat(
    digits === undefined ? { maximumFractionDigits: 2 } : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  ).format(value)

/** A share from 0 to 1 as a percentage. */
export const shareText = (share: number, digits = 0): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: digits }).format(share)

/** A number and its unit, held together by a no-break space: "124 cm"; a percent sign stands close: "21.4%". */
export function withUnit(text: string, unit: string | null | undefined): string {
  if (!unit) return text
  return unit === '%' ? `${text}%` : `${text}\u00a0${unit}`
}

/** A calendar day (`2026-11-21`), as it is anywhere. */
export function dayText(day: string, options: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' }): string {
  return dateFormat({ ...options, timeZone: 'UTC' }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
}

/** A moment as the clock on the wall of the room shows it; without a time zone, as the reader's own does. */
export function momentText(
  at: number,
  timeZone?: string | undefined,
  options: Intl.DateTimeFormatOptions & { timeZone?: never } = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
): string {
  return (timeZone ? dateFormat({ ...options, timeZone }) : localDateFormat(options)).format(at)
}
