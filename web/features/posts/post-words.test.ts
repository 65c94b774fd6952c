import { expect, test } from 'vitest'
import { postTypeLabel, postTypes } from './post-words.ts'

test('each type of post has the hint of the specification', () => {
  expect(Object.fromEntries(Object.entries(postTypes).map(([type, { hint }]) => [type, hint]))).toEqual({
    update: 'Share your cannabis journey, growing updates, or general thoughts',
    promotion: 'Promote your products, deals, or special offers',
    educational: 'Share knowledge, tips, or educational content',
    product: 'Showcase a specific product or strain',
  })
})

test('a type that is not known is shown as Update', () => {
  expect(['promotion', 'educational', 'product', 'update', 'else'].map(postTypeLabel)).toEqual([
    'Promotion',
    'Educational',
    'Product',
    'Update',
    'Update',
  ])
})
