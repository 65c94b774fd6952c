import type { Currency } from '../../../contracts/money.ts'

/** How a menu states its prices; `taxRate` in thousandths of a percent, null while the business did not say. */
export type MenuTerms = { currency: Currency; taxRate: number | null; pricesIncludeTax: boolean }

/** Of a menu about which nobody said anything: nobody is told that its prices hold the tax. */
export const unsaidTerms: MenuTerms = { currency: 'USD', taxRate: null, pricesIncludeTax: false }

const whole = 100_000

/** What a shopper pays for a price as it was typed: with the tax where the rate is known, half a cent rounded up. */
export function shownCents(typedCents: number, { taxRate, pricesIncludeTax }: MenuTerms): number {
  if (pricesIncludeTax || taxRate === null) return typedCents
  // In whole numbers all the way: below 2 ** 53 for every price and rate that the database takes.
  const scaled = typedCents * (whole + taxRate) + whole / 2
  return (scaled - (scaled % whole)) / whole
}

/** Whether `shownCents` holds all taxes. */
export const isTaxIncluded = ({ taxRate, pricesIncludeTax }: MenuTerms): boolean => pricesIncludeTax || taxRate !== null

/** 8.875 → 8875; null for a rate that is finer than can be kept. */
export function parseTaxRate(percent: number): number | null {
  const rate = Math.round(percent * 1000)
  return Math.abs(percent * 1000 - rate) < 1e-6 ? rate : null
}

export const formatTaxRate = (rate: number): number => rate / 1000
