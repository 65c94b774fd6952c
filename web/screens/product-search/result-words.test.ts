import { expect, it } from 'vitest'
import type { ProductVariant } from '#contracts/menus.ts'
import { menuVariant } from '#web/entities/menus/sample-item.test-support.ts'
import { countSentence, emptyReason, listedPerGram, orderSentence, productHeading } from './product-results.tsx'
import { rangeText } from './product-search-screen.tsx'

const denver = { label: 'Denver, CO', radiusMiles: 25 }
const colorado = { label: 'Colorado', radiusMiles: null }

it('names the place in the heading', () => {
  expect(productHeading({}, null)).toBe('Products near you')
  expect(productHeading({ near: '39.74,-104.99' }, { place: denver })).toBe('Products near your location')
  expect(productHeading({ near: '80202' }, null)).toBe('Products')
  expect(productHeading({ near: 'Denver, CO' }, null)).toBe('Products near Denver, CO')
  expect(productHeading({ near: 'colorado' }, { place: colorado })).toBe('Products in Colorado')
})

it('counts items and shops', () => {
  expect(countSentence({ itemCount: 1204, shopCount: 1, place: denver }, 'mi')).toBe('1,204 items in 1 shop within 25 miles.')
  expect(countSentence({ itemCount: 1, shopCount: 1, place: denver }, 'km')).toBe('1 item in 1 shop within 40 km.')
  expect(countSentence({ itemCount: 2, shopCount: 2, place: colorado }, 'mi')).toBe('2 items in 2 shops.')
  expect(countSentence({ itemCount: 0, shopCount: 0, place: denver }, 'mi')).toBe('No items within 25 miles.')
})

it('states where nothing was found', () => {
  const none = { itemCount: 0, shopCount: 0 }
  expect(emptyReason({ q: 'kush', near: '80202' }, { ...none, place: denver }, 'mi')).toBe(
    'Nothing matches “kush” within 25 miles of Denver, CO.',
  )
  expect(emptyReason({ near: 'CO' }, { ...none, place: colorado }, 'mi')).toBe('Nothing matches these filters in Colorado.')
  expect(emptyReason({ near: 'Denver, CO', radius: 5 }, null, 'mi')).toBe('Nothing matches these filters within 5 miles of Denver, CO.')
})

it('names the chosen prices', () => {
  expect(rangeText({})).toBe('Any price')
  expect(rangeText({ maxPrice: 30 })).toBe('Up to $30')
  expect(rangeText({ minPrice: 20, maxPrice: 30 })).toBe('$20 to $30')
  expect(rangeText({ minPrice: 20 })).toBe('From $20')
  expect(rangeText({ maxPrice: 7.99, perGram: true })).toBe('Up to $7.99/g')
})

it('explains the sort order', () => {
  expect(orderSentence()).toMatch(/^Nearest first/)
  expect(orderSentence('price_per_gram')).toMatch(/^Lowest price per gram first/)
})

it('distinguishes a larger size’s price per gram from the listed size’s', () => {
  const size = (id: string, price: string, weight: number) =>
    ({ ...menuVariant({ id, price }), weight, weightUnit: 'g', isAvailable: true, isLow: false }) as ProductVariant
  const words = (...variants: ProductVariant[]) =>
    listedPerGram({ variants, category: null, hasMemberPrices: false, currency: 'USD' }, variants[0]!)
  expect(words(size('a', '11.00', 1), size('b', '198.00', 28))).toBe('other sizes from $7.07/g')
  expect(words(size('a', '11.00', 1), size('b', '22.00', 2))).toBe('$11.00/g')
  expect(words(size('a', '11.00', 1), size('b', '30.00', 2))).toBe('$11.00/g')
})
