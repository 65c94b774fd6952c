import { expect, test } from 'vitest'
import { formatPrice } from './format.ts'

test.each([
  ['12.50', 'USD', '$12.50'],
  ['0.00', 'USD', '$0.00'],
  ['1250.00', 'USD', '$1,250.00'],
  ['9.99', 'EUR', '€9.99'],
  ['9.99', 'CAD', 'CA$9.99'],
] as const)('formats a price of %s %s as %s', (price, currency, shown) => {
  expect(formatPrice(price, currency)).toBe(shown)
})
