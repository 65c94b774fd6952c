import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatTaxRate, isTaxIncluded, parseTaxRate, shownCents } from './menu-settings.ts'

const cents = fc.integer({ min: 0, max: 99_999_999 })
const rate = fc.integer({ min: 0, max: 100_000 })
const before = (taxRate: number | null) => ({ currency: 'USD' as const, taxRate, pricesIncludeTax: false })

it('adds the tax to the cent, rounding half a cent up', () => {
  fc.assert(
    fc.property(cents, rate, (typed, taxRate) => {
      const exact = BigInt(typed) * BigInt(100_000 + taxRate)
      const rounded = (exact * 2n + 100_000n) / 200_000n
      expect(BigInt(shownCents(typed, before(taxRate)))).toBe(rounded)
    }),
  )
  expect(shownCents(1000, before(8875))).toBe(1089)
  expect(shownCents(200, before(8750))).toBe(218)
  expect(shownCents(99_999_999, before(100_000))).toBe(199_999_998)
})

it('leaves a price unchanged if it includes tax or the rate is unknown', () => {
  fc.assert(
    fc.property(cents, rate, (typed, taxRate) => {
      expect(shownCents(typed, { ...before(taxRate), pricesIncludeTax: true })).toBe(typed)
      expect(shownCents(typed, before(null))).toBe(typed)
    }),
  )
  expect(isTaxIncluded(before(null))).toBe(false)
  expect(isTaxIncluded(before(0))).toBe(true)
  expect(isTaxIncluded({ ...before(null), pricesIncludeTax: true })).toBe(true)
})

it('stores a rate with up to three decimals exactly, and refuses one with more', () => {
  fc.assert(fc.property(rate, (kept) => void expect(parseTaxRate(formatTaxRate(kept))).toBe(kept)))
  expect(parseTaxRate(8.875)).toBe(8875)
  expect(parseTaxRate(8.8755)).toBeNull()
})
