import type { Product } from '#contracts/menus.ts'

/**
 * Regional formats of numbers, dates and amounts. The interface is in English, so the locale is English with the person's region:
 * "21 Nov 2026" and "1.234,5" for `en-DE`.
 */
let chosen: string | null = null

/** @param region ISO 3166-1; null for the device's region */
export const setRegion = (region: string | null): void => {
  chosen = region
}

const regionsOfDevice = new Map<string, string>()

/** There is no device during server rendering. */
function deviceRegion(): string {
  const language = (typeof navigator === 'undefined' ? undefined : navigator.language) || 'en-US'
  const region = regionsOfDevice.get(language) ?? new Intl.Locale(language).maximize().region ?? 'US'
  regionsOfDevice.set(language, region)
  return region
}

export const getRegion = (): string => chosen ?? deviceRegion()
export const getLocale = (): string => `en-${getRegion()}`

/** Caches formatters by region and options, because creating one is slow and a table formats hundreds of texts per second. */
function keeping<Options, Formatter>(make: (locale: string, options: Options) => Formatter): (options: Options) => () => Formatter {
  const cache = new Map<string, Formatter>()
  return (options) => {
    const name = JSON.stringify(options)
    return () => {
      const locale = getLocale()
      const key = locale + name
      const found = cache.get(key) ?? make(locale, options)
      cache.set(key, found)
      return found
    }
  }
}

const dates = keeping((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))
const numbers = keeping((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

let placeTimeZone: string | null = null

/** For pages rendered on the server, which doesn't know the reader's time zone: the zone of the place that they show. */
export const setTimeZone = (timeZone: string): void => {
  placeTimeZone = timeZone
}

/** The reader's time zone. */
export const localTimeZone = (): string => placeTimeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

type DateFormat = { format(date: Date | number): string; formatRange(from: Date, to: Date): string }

/**
 * Formats a date in the person's region. The time zone is required, because the server and the device are in different ones: `UTC` for the
 * day of a record, the place's own zone for its hours, `localTimeZone()` for a moment in the reader's time.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions & { timeZone: string }): DateFormat {
  const formatter = dates(options)
  return { format: (date) => formatter().format(date), formatRange: (from, to) => formatter().formatRange(from, to) }
}

/** Formats a moment in the device's time zone. Not for static pages, which are rendered on the server; a test rejects that. */
export function localDateFormat(options: Intl.DateTimeFormatOptions & { timeZone?: never }): DateFormat {
  const formatter = dates(options)
  return { format: (date) => formatter().format(date), formatRange: (from, to) => formatter().formatRange(from, to) }
}

/** Like {@link dateFormat}. */
export function numberFormat(options: Intl.NumberFormatOptions): { format(value: number | Intl.StringNumericLiteral): string } {
  const formatter = numbers(options)
  return { format: (value) => formatter().format(value) }
}

const plain = numberFormat({})

/** "1,234" */
export const formatNumber = (value: number): string => plain.format(value)

/** "12.50" USD → "$12.50". Passes the string to the formatter to avoid binary floating point. */
export function formatPrice(price: string, currency: Product['currency']): string {
  return numberFormat({ style: 'currency', currency }).format(price as `${number}`)
}

/** "1 plant", "1,204 plants"; `many` for irregular plurals. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${formatNumber(count)} ${count === 1 ? one : many}`

const and = new Intl.ListFormat('en-US', { type: 'conjunction' })
const or = new Intl.ListFormat('en-US', { type: 'disjunction' })

/** "Rows A, B, and C". */
export const listWords = (parts: readonly string[]): string => and.format(parts)

/** "A, B, or C". */
export const choiceWords = (parts: readonly string[]): string => or.format(parts)
