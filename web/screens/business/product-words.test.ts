import { expect, test } from 'vitest'
import { groupProducts, potencyWords, priceWords, weightWords } from './product-words.ts'

test('says if the price includes tax', () => {
  expect(priceWords({ price: '35.00', currency: 'USD', isTaxIncluded: true })).toEqual({ amount: '$35.00', tax: 'incl. tax' })
  expect(priceWords({ price: '35.00', currency: 'CAD', isTaxIncluded: false })).toEqual({ amount: 'CA$35.00', tax: '+ tax' })
})

test.each([
  [3.5, 'g', '3.5 g'],
  [1, 'piece', '1 piece'],
  [5, 'piece', '5 pieces'],
  [1000, 'mg', '1,000 mg'],
  [2, null, '2'],
  [null, 'g', null],
] as const)('formats %s %s as %s', (weight, weightUnit, words) => {
  expect(weightWords({ weight, weightUnit })).toBe(words)
})

test('shows potency in its unit and only known values', () => {
  expect(potencyWords({ thc: 24.125, cbd: 0.3, potencyUnit: 'percent' })).toEqual(['THC 24.13%', 'CBD 0.3%'])
  expect(potencyWords({ thc: 100, cbd: null, potencyUnit: 'mg' })).toEqual(['THC 100 mg'])
  expect(potencyWords({ thc: null, cbd: null, potencyUnit: 'percent' })).toEqual([])
})

test('shows flower weights in the chosen unit', () => {
  const grams = (weight: number) => weightWords({ weight, weightUnit: 'g' }, 'oz')
  expect([3.5, 7, 14, 28, 42, 1, 56].map(grams)).toEqual(['1/8 oz', '1/4 oz', '1/2 oz', '1 oz', '1 1/2 oz', '0.035 oz', '2 oz'])
  expect(weightWords({ weight: 0.125, weightUnit: 'oz' }, 'g')).toBe('3.5 g')
  expect(weightWords({ weight: 100, weightUnit: 'mg' }, 'oz')).toBe('100 mg')
})

test('groups in the menu’s order and puts items without a category under Other', () => {
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
