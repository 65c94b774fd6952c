/**
 * Numbers, dates and amounts of money as they are written where somebody lives. The words around them are English, so the
 * locale is English with that region: "21 Nov 2026" and "1.234,5" for `en-DE`.
 */

let chosen: string | null = null

/** @param region ISO 3166-1; null: the device's */
export const setRegion = (region: string | null): void => {
  chosen = region
}

const regionsOfDevice = new Map<string, string>()

/** Where a page is prepared before anybody reads it, there is no device. */
function deviceRegion(): string {
  const language = (typeof navigator === 'undefined' ? undefined : navigator.language) || 'en-US'
  const region = regionsOfDevice.get(language) ?? new Intl.Locale(language).maximize().region ?? 'US'
  regionsOfDevice.set(language, region)
  return region
}

export const getRegion = (): string => chosen ?? deviceRegion()
export const getLocale = (): string => `en-${getRegion()}`

/** Making a formatter is slow, and a table asks for hundreds of texts a second: each is kept, by the region and its options. */
function keeping<Options, Formatter>(make: (locale: string, options: Options) => Formatter): (options: Options) => () => Formatter {
  const kept = new Map<string, Formatter>()
  return (options) => {
    const name = JSON.stringify(options)
    return () => {
      const locale = getLocale()
      const key = locale + name
      const found = kept.get(key) ?? make(locale, options)
      kept.set(key, found)
      return found
    }
  }
}

const dates = keeping((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))
const numbers = keeping((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

type DateFormat = { format(date: Date | number): string; formatRange(from: Date, to: Date): string }

/**
 * Follows the region. A time zone is required, because the server and the reader's device are in different ones: `UTC` for the day of a
 * record, the place's own zone for its hours, `useTimeZone()` for a moment on the reader's clock.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions & { timeZone: string }): DateFormat {
  const formatter = dates(options)
  return { format: (date) => formatter().format(date), formatRange: (from, to) => formatter().formatRange(from, to) }
}

/**
 * A moment on the clock of the device, for screens that only the browser draws. In HTML that the server wrote it would be another text than
 * in the app: a test refuses it there.
 */
export function localDateFormat(options: Intl.DateTimeFormatOptions & { timeZone?: never }): DateFormat {
  const formatter = dates(options)
  return { format: (date) => formatter().format(date), formatRange: (from, to) => formatter().formatRange(from, to) }
}

/** As {@link dateFormat}. */
export function numberFormat(options: Intl.NumberFormatOptions): { format(value: number | Intl.StringNumericLiteral): string } {
  const formatter = numbers(options)
  return { format: (value) => formatter().format(value) }
}

const plain = numberFormat({})

/** "1,234" */
export const formatNumber = (value: number): string => plain.format(value)
