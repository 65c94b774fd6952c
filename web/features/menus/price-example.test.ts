import { expect, test } from 'vitest'
import { priceExample } from './price-example.ts'

test.each([
  [{ taxRate: null, pricesIncludeTax: true }, '$35.00 incl. tax'],
  [{ taxRate: 20, pricesIncludeTax: true }, '$35.00 incl. tax'],
  [{ taxRate: 15.75, pricesIncludeTax: false }, '$40.51 incl. tax'],
  [{ taxRate: null, pricesIncludeTax: false }, '$35.00 + tax'],
])('%o shows %s', (settings, words) => {
  expect(priceExample({ currency: 'USD', ...settings })).toBe(`You type 35.00, shoppers see ${words}.`)
})
