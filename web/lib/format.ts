/**
 * Numbers, dates and amounts of money as they are written where somebody lives. The words around them are English, so the
 * locale is English with that region: "21 Nov 2026" and "1.234,5" for `en-DE`.
 */

let chosen: string | null = null

/** @param region ISO 3166-1; null: the device's */
export const setRegion = (region: string | null): void => {
  chosen = region
}

/** Where a page is prepared before anybody reads it, there is no device. */
const deviceRegion = (): string => {
  const language = typeof navigator === 'undefined' ? undefined : navigator.language
  return new Intl.Locale(language || 'en-US').maximize().region ?? 'US'
}

export const getRegion = (): string => chosen ?? deviceRegion()
export const getLocale = (): string => `en-${getRegion()}`

/** Making a formatter is slow: each is kept until the region is another. */
function following<Input>(make: (locale: string) => { format(input: Input): string }): { format(input: Input): string } {
  let madeFor = ''
  let made: { format(input: Input): string } | undefined
  return {
    format(input) {
      const locale = getLocale()
      if (!made || locale !== madeFor) made = make(locale)
      madeFor = locale
      return made.format(input)
    },
  }
}

export const dateFormat = (options: Intl.DateTimeFormatOptions): { format(date: Date | number): string } =>
  following((locale) => new Intl.DateTimeFormat(locale, options))

export const numberFormat = (options: Intl.NumberFormatOptions): { format(value: number | Intl.StringNumericLiteral): string } =>
  following((locale) => new Intl.NumberFormat(locale, options))

const plain = numberFormat({})

/** "1,234" */
export const formatNumber = (value: number): string => plain.format(value)
