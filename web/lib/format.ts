import type { Product } from '#contracts/menus.ts'

/** The interface is in English, so the locale is English with the person's region: "21 Nov 2026" and "1.234,5" for `en-DE`. */
let chosen: string | null = null

/** @param region ISO 3166-1; null for the device's region */
export const setRegion = (region: string | null): void => {
  chosen = region
}

const regionsOfDevice = new Map<string, string>()

function deviceRegion(): string {
  const language = (typeof navigator === 'undefined' ? undefined : navigator.language) || 'en-US'
  const region = regionsOfDevice.get(language) ?? new Intl.Locale(language).maximize().region ?? 'US'
  regionsOfDevice.set(language, region)
  return region
}

export const getRegion = (): string => chosen ?? deviceRegion()
export const getLocale = (): string => `en-${getRegion()}`

/** Creating a formatter is slow, and a table formats hundreds of values. */
function memoizeFormatter<Options, Formatter>(
  make: (locale: string, options: Options) => Formatter,
): (options: Options) => () => Formatter {
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

const dates = memoizeFormatter((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))
const numbers = memoizeFormatter((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

let placeTimeZone: string | null = null

/** The viewer's time zone is unknown on the server, so pages rendered there use the zone of the place they show. */
export const setTimeZone = (timeZone: string): void => {
  placeTimeZone = timeZone
}

export const localTimeZone = (): string => placeTimeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

type DateFormat = { format(date: Date | number): string; formatRange(from: Date, to: Date): string }

/**
 * Formats for the person's region. Requires a time zone, because the server and the device may be in different ones: `UTC` for a record's
 * day, the place's own zone for its hours, `localTimeZone()` for a moment in the viewer's time.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions & { timeZone: string }): DateFormat {
  const formatter = dates(options)
  return { format: (date) => formatter().format(date), formatRange: (from, to) => formatter().formatRange(from, to) }
}

/** Uses the device's time zone. Static pages can't use this, because the server renders them; a test checks that they don't. */
export function localDateFormat(options: Intl.DateTimeFormatOptions & { timeZone?: never }): DateFormat {
  const formatter = dates(options)
  return { format: (date) => formatter().format(date), formatRange: (from, to) => formatter().formatRange(from, to) }
}

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

/** "Wren’s", "Star Buds’" */
export const possessive = (name: string): string => (/s$/i.test(name) ? `${name}’` : `${name}’s`)

/** "pending review" → "Pending review". */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "1 plant", "1,204 plants"; `many` is for irregular plurals. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${formatNumber(count)} ${count === 1 ? one : many}`

// British English, because American lists have a comma before the last part, and the app's sentences don't.
const and = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** "Rows A, B and C". */
export const formatList = (parts: readonly string[]): string => and.format(parts)

/** "A, B or C". */
export const choiceWords = (parts: readonly string[]): string => or.format(parts)

const size = numberFormat({ maximumFractionDigits: 1 })
const units = ['KB', 'MB', 'GB'] as const

/** "3.2 MB", at least 1 KB. */
export function formatBytes(bytes: number): string {
  let count = Math.max(1, bytes / 1024)
  let unit = 0
  for (; count >= 1024 && unit < units.length - 1; unit++) count /= 1024
  return `${size.format(count)} ${units[unit]}`
}

/** "https://www.example.com/menu/" → "example.com/menu". */
export function websiteName(address: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname } = new URL(address)
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}`
}
