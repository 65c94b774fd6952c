import { expect, test } from 'vitest'
import { newAtTop, newPostsText } from './new-posts.ts'

test('new is what stands above the first post that is shown', () => {
  expect(newAtTop(['c', 'b', 'a'], ['e', 'd', 'c', 'b'])).toEqual(['e', 'd'])
  expect(newAtTop(['c', 'b', 'a'], ['c', 'b', 'a'])).toEqual([])
})

test('a post that is gone is not missed, and one below is not news', () => {
  expect(newAtTop(['c', 'b', 'a'], ['d', 'b', 'x', 'a'])).toEqual(['d'])
})

test('an empty feed has everything before it', () => {
  expect(newAtTop([], ['b', 'a'])).toEqual(['b', 'a'])
  expect(newAtTop(['a'], ['z', 'y'])).toEqual(['z', 'y'])
})

test('the words', () => {
  expect([1, 2, 19, 20, 25].map((count) => newPostsText(count, 20))).toEqual([
    '1 new post',
    '2 new posts',
    '19 new posts',
    '20+ new posts',
    '20+ new posts',
  ])
})
