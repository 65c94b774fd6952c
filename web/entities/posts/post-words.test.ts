import { expect, test } from 'vitest'
import { postTypeLabel, postTypes } from './post-words.ts'

test('has the specified hint for each type of post', () => {
  expect(Object.fromEntries(Object.entries(postTypes).map(([type, { hint }]) => [type, hint]))).toEqual({
    update: 'Share your cannabis journey, growing updates, or general thoughts',
    promotion: 'Promote your products, deals, or special offers',
    educational: 'Share knowledge, tips, or educational content',
    product: 'Showcase a specific product or strain',
  })
})

test('shows an unknown type as Update', () => {
  expect(['promotion', 'educational', 'product', 'update', 'else'].map(postTypeLabel)).toEqual([
    'Promotion',
    'Educational',
    'Product',
    'Update',
    'Update',
  ])
})
