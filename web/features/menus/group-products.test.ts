import { expect, test } from 'vitest'
import { groupProducts } from './group-products.ts'

test("groups stand in the menu's order, and what says no category is Other", () => {
  const products = [
    { id: 1, category: 'Edibles' },
    { id: 2, category: null },
    { id: 3, category: 'Flower' },
    { id: 4, category: 'Edibles' },
    { id: 5, category: 'Other' },
  ]
  expect(groupProducts(products).map(({ category, products: members }) => [category, members.map(({ id }) => id)])).toEqual([
    ['Flower', [3]],
    ['Edibles', [1, 4]],
    ['Other', [2, 5]],
  ])
})
