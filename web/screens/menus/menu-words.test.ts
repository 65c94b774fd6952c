import { expect, test } from 'vitest'
import { priceExample, roomLeft, roomWords } from './menu-words.ts'

test('states the remaining room in numbers', () => {
  expect(roomWords({ itemCount: 4, itemLimit: 5 })).toBe('4 of 5 items')
  expect(roomWords({ itemCount: 1, itemLimit: null })).toBe('1 item')
  expect(roomWords({ itemCount: 1200, itemLimit: null })).toBe('1,200 items')
  expect(roomLeft({ itemCount: 4, itemLimit: 5 })).toBe(1)
  // After a plan ends, there may be more items than allowed.
  expect(roomLeft({ itemCount: 9, itemLimit: 5 })).toBe(0)
  expect(roomLeft({ itemCount: 9, itemLimit: null })).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  [{ taxRate: null, pricesIncludeTax: true }, '$35.00 incl. tax'],
  [{ taxRate: 20, pricesIncludeTax: true }, '$35.00 incl. tax'],
  [{ taxRate: 15.75, pricesIncludeTax: false }, '$40.51 incl. tax'],
  [{ taxRate: null, pricesIncludeTax: false }, '$35.00 + tax'],
])('shows %o as %s', (settings, words) => {
  expect(priceExample({ currency: 'USD', ...settings })).toBe(`You type 35.00, shoppers see ${words}.`)
})
