import type { Currency } from '#contracts/money.ts'

/** How a menu states its prices; `taxRate` is in thousandths of a percent, null if the business has not set it. */
export type MenuTerms = { currency: Currency; taxRate: number | null; pricesIncludeTax: boolean }

/** Terms of a menu without settings: doesn't claim that prices include tax. */
export const unsaidTerms: MenuTerms = { currency: 'USD', taxRate: null, pricesIncludeTax: false }

const whole = 100_000

/** What a shopper pays for an entered price: includes tax if the rate is known, and rounds half a cent up. */
export function shownCents(typedCents: number, { taxRate, pricesIncludeTax }: MenuTerms): number {
  if (pricesIncludeTax || taxRate === null) return typedCents
  // Integer arithmetic: stays below 2 ** 53 for every price and rate the database accepts.
  const scaled = typedCents * (whole + taxRate) + whole / 2
  return (scaled - (scaled % whole)) / whole
}

/** Whether `shownCents` includes all taxes. */
export const isTaxIncluded = ({ taxRate, pricesIncludeTax }: MenuTerms): boolean => pricesIncludeTax || taxRate !== null

/** 8.875 → 8875; null for a rate with more than three decimals. */
export function parseTaxRate(percent: number): number | null {
  const rate = Math.round(percent * 1000)
  return Math.abs(percent * 1000 - rate) < 1e-6 ? rate : null
}

export const formatTaxRate = (rate: number): number => rate / 1000
