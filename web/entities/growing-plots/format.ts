import { dateFormat, localDateFormat, numberFormat } from '#web/lib/format.ts'

/** Shown for missing measurements, never zero. */
export const missing = '–'

/** Exactly `digits` decimals, to align columns; at most two by default. */
export const numberText = (value: number, digits?: number | undefined): string =>
  numberFormat(
    digits === undefined ? { maximumFractionDigits: 2 } : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  ).format(value)

/** Formats a share (0 to 1) as a percentage. */
export const shareText = (share: number, digits = 0): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: digits }).format(share)

/** Joins number and unit with a no-break space: "124 cm"; no space before percent: "21.4%". */
export function withUnit(text: string, unit: string | null | undefined): string {
  if (!unit) return text
  return unit === '%' ? `${text}%` : `${text}\u00a0${unit}`
}

/** A calendar day (`2026-11-21`), independent of time zones. */
export function dayText(day: string, options: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' }): string {
  return dateFormat({ ...options, timeZone: 'UTC' }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
}

/** A moment in the room's time zone; the reader's by default. */
export function momentText(
  at: number,
  timeZone?: string | undefined,
  options: Intl.DateTimeFormatOptions & { timeZone?: never } = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
): string {
  return (timeZone ? dateFormat({ ...options, timeZone }) : localDateFormat(options)).format(at)
}
