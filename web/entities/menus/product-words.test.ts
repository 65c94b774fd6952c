import { expect, test } from 'vitest'
import type { ProductVariant } from '#contracts/menus.ts'
import {
  groupProducts,
  kindWords,
  lowestSize,
  makerWords,
  perGramWords,
  periodWords,
  potencyWords,
  pricesOf,
  shortPrice,
  weightWords,
} from './product-words.ts'
import { menuVariant } from './sample-item.test-support.ts'

const variant = { price: '35.00', salePrice: null, saleEnds: null, memberPrice: null }

test('shows the price that the viewer pays, the regular price, and the subscriber price', () => {
  expect(pricesOf(variant, true)).toEqual({ paid: '35.00', regular: null, isSale: false, forSubscribers: null })
  const sale = { ...variant, salePrice: '30.00', memberPrice: '28.00' }
  expect(pricesOf(sale, false)).toEqual({ paid: '30.00', regular: '35.00', isSale: true, forSubscribers: '28.00' })
  expect(pricesOf(sale, true)).toEqual({ paid: '28.00', regular: '35.00', isSale: false, forSubscribers: null })
})

test.each([
  ['House blend', 'Terrace Farms', 'Blue Dream', 'Terrace Farms · Blue Dream'],
  ['710 Labs Bahia Black Head', '710 Labs', 'Bahia Black Head', ''],
  ['Wana | Sour Gummies', 'wana', null, ''],
  ['Blue Dreamsicle', null, 'Blue Dream', 'Blue Dream'],
])('leaves out the brand and strain that “%s” contains', (name, brand, strain, words) => {
  expect(makerWords({ name, brand, strain })).toBe(words)
})

test('states the days of a sale', () => {
  expect(periodWords('2026-12-01', '2026-12-24')).toMatch(/^Dec 1\s–\s24$/)
  expect(periodWords('2026-12-01', null)).toBe('from Dec 1')
  expect(periodWords(null, '2026-12-24')).toBe('through Dec 24')
  expect(periodWords(null, null)).toBeNull()
})

test('finds the size in stock that is cheapest for the viewer', () => {
  const size = (id: string, price: string, memberPrice: string | null = null, isAvailable = true) =>
    ({ ...menuVariant({ id, price, memberPrice, isAvailable }), isLow: false }) as ProductVariant
  const variants = [size('a', '9.00', null, false), size('b', '100.00', '20.00'), size('c', '30.00')]
  expect(lowestSize({ variants, hasMemberPrices: false }).id).toBe('c')
  expect(lowestSize({ variants, hasMemberPrices: true }).id).toBe('b')
  expect(lowestSize({ variants: variants.slice(0, 1), hasMemberPrices: false }).id).toBe('a')
})

test('leaves out the cents of whole prices', () => {
  expect(shortPrice('12.00', 'USD')).toBe('$12')
  expect(shortPrice('12.50', 'CAD')).toBe('CA$12.50')
})

test('states the lowest price per gram of the available sizes', () => {
  const size = (price: string, weight: number | null, weightUnit: 'g' | 'oz' | 'piece', isAvailable = true) =>
    ({ ...variant, id: price, price, weight, weightUnit, isAvailable, isLow: false, batch: null }) as const
  const words = (...variants: ReturnType<typeof size>[]) =>
    perGramWords({ category: 'Flower', variants, hasMemberPrices: false, currency: 'USD' })
  expect(words(size('35.00', 3.5, 'g'), size('60.00', 7, 'g'))).toBe('from $8.57/g')
  expect(words(size('35.00', 3.5, 'g'), size('70.00', 7, 'g'))).toBe('$10.00/g')
  expect(words(size('35.00', 3.5, 'g'), size('60.00', 7, 'g', false))).toBe('$10.00/g')
  expect(words(size('200.00', 1, 'oz'))).toBe('$7.14/g')
  expect(
    perGramWords({ category: 'Drinks', variants: [size('8.00', 12, 'oz')], hasMemberPrices: false, currency: 'USD' }),
    'fluid ounces aren’t a weight',
  ).toBeNull()
  expect(words(size('35.00', 10, 'piece'), size('9.00', null, 'g'))).toBeNull()
})

test.each([
  [3.5, 'g', '3.5 g'],
  [1, 'piece', 'each'],
  [5, 'piece', '5-pack'],
  [1000, 'piece', '1,000-pack'],
  [0.5, 'piece', '0.5 pieces'],
  [1000, 'mg', '1,000 mg'],
  [2, null, '2'],
  [null, 'g', null],
  [0.25, 'oz', '1/4 oz'],
  [0.3, 'oz', '0.3 oz'],
  [12.5, 'oz', '12.5 oz'],
] as const)('formats a size of %s %s as %s', (weight, weightUnit, words) => {
  expect(weightWords({ weight, weightUnit })).toBe(words)
})

const unknown = { thc: null, thcMax: null, thcUnit: null, cbd: null, cbdMax: null, cbdUnit: null }

test('shows potency as a value or a range, each in its unit, and only known values', () => {
  expect(potencyWords({ ...unknown, thc: 18.2, thcMax: 24.125, thcUnit: 'percent', cbd: 0.3, cbdUnit: 'percent' })).toEqual([
    '18.2–24.13% THC',
    '0.3% CBD',
  ])
  expect(potencyWords({ ...unknown, thc: 100, thcMax: 100, thcUnit: 'mg', cbd: 5, cbdUnit: 'percent' })).toEqual(['100 mg THC', '5% CBD'])
  expect(potencyWords({ ...unknown, thcUnit: 'percent' })).toEqual([])
  expect(kindWords({ ...unknown, strainType: 'sativa', thc: 20, thcUnit: 'percent' })).toEqual(['Sativa', '20% THC'])
})

test('shows flower weights in the chosen unit', () => {
  const grams = (weight: number) => weightWords({ weight, weightUnit: 'g' }, 'oz')
  expect([3.5, 7, 14, 28, 42, 1, 56].map(grams)).toEqual(['1/8 oz', '1/4 oz', '1/2 oz', '1 oz', '1 1/2 oz', '0.036 oz', '2 oz'])
  expect(weightWords({ weight: 0.125, weightUnit: 'oz' }, 'g')).toBe('3.5 g')
  expect(weightWords({ weight: 1, weightUnit: 'oz' }, 'g')).toBe('28 g')
  expect(weightWords({ weight: 12, weightUnit: 'oz' }, 'g', 'Drinks')).toBe('12 oz')
  expect(weightWords({ weight: 100, weightUnit: 'mg' }, 'oz')).toBe('100 mg')
})

test('groups items in the menu’s order and puts those without a category under Other', () => {
  const products = [
    { id: 1, category: 'Edibles' },
    { id: 2, category: null },
    { id: 3, category: 'Flower' },
    { id: 4, category: 'Edibles' },
    { id: 5, category: 'Other' },
  ] as const
  expect(groupProducts(products).map(({ category, products: members }) => [category, members.map(({ id }) => id)])).toEqual([
    ['Flower', [3]],
    ['Edibles', [1, 4]],
    ['Other', [2, 5]],
  ])
})
