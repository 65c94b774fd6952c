/**
 * Regions of the cannabis trade and its neighbors; elsewhere, the device's region is used. Names are in English, like the page.
 * ISO 3166-1 codes.
 */
const offered = [
  ...['AR', 'AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CL', 'CO', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IL', 'IT', 'JM'],
  ...['LU', 'MT', 'MX', 'NL', 'NO', 'NZ', 'PL', 'PR', 'PT', 'SE', 'TH', 'US', 'UY', 'ZA'],
]

const names = new Intl.DisplayNames('en-US', { type: 'region' })

export const regionName = (code: string): string => names.of(code) ?? code

/** Sorted by name; always includes the current one. */
export const regionChoices = (current: string | null): string[] =>
  [...new Set([...offered, ...(current === null ? [] : [current])])].sort((a, b) => regionName(a).localeCompare(regionName(b), 'en-US'))

const currencies: Record<string, string> = { US: 'USD', PR: 'USD', CA: 'CAD', GB: 'GBP', AU: 'AUD', NZ: 'NZD', CH: 'CHF' }
// Day and hour are distinguishable from other numbers.
const sample = new Date(2026, 10, 21, 16, 5)

/** Samples of regional formats. Real prices use the business's currency. */
export function formatSamples(region: string): { date: string; time: string; number: string; price: string } {
  const locale = `en-${region}`
  return {
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(sample),
    time: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(sample),
    number: new Intl.NumberFormat(locale).format(1234.5),
    price: new Intl.NumberFormat(locale, { style: 'currency', currency: currencies[region] ?? 'EUR' }).format(35),
  }
}
