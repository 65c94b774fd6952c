/**
 * Regions of the trade and of its neighbors; whoever is elsewhere keeps the device's. English names, as the rest of the page.
 * Each is ISO 3166-1.
 */
const offered = [
  ...['AR', 'AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CL', 'CO', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IL', 'IT', 'JM'],
  ...['LU', 'MT', 'MX', 'NL', 'NO', 'NZ', 'PL', 'PR', 'PT', 'SE', 'TH', 'US', 'UY', 'ZA'],
]

const names = new Intl.DisplayNames('en-US', { type: 'region' })

export const regionName = (code: string): string => names.of(code) ?? code

/** By their names; with the one that is chosen, wherever it came from. */
export const regionChoices = (current: string | null): string[] =>
  [...new Set([...offered, ...(current === null ? [] : [current])])].sort((a, b) => regionName(a).localeCompare(regionName(b), 'en-US'))

const currencies: Record<string, string> = { US: 'USD', PR: 'USD', CA: 'CAD', GB: 'GBP', AU: 'AUD', NZ: 'NZD', CH: 'CHF' }
// A day and an hour that show which number is which.
const sample = new Date(2026, 10, 21, 16, 5)

/** How figures are written there. Prices stand in the currency of the business; this one is a sample. */
export function formatSamples(region: string): { date: string; time: string; number: string; price: string } {
  const locale = `en-${region}`
  return {
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(sample),
    time: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(sample),
    number: new Intl.NumberFormat(locale).format(1234.5),
    price: new Intl.NumberFormat(locale, { style: 'currency', currency: currencies[region] ?? 'EUR' }).format(35),
  }
}
