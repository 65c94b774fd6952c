import { expect, test } from 'vitest'
import { newAtTop, newPostsText } from './new-posts-pill.tsx'

test('treats posts as new if they’re above the first one already shown', () => {
  expect(newAtTop(['c', 'b', 'a'], ['e', 'd', 'c', 'b'])).toEqual(['e', 'd'])
  expect(newAtTop(['c', 'b', 'a'], ['c', 'b', 'a'])).toEqual([])
})

test('ignores deleted posts and posts further down', () => {
  expect(newAtTop(['c', 'b', 'a'], ['d', 'b', 'x', 'a'])).toEqual(['d'])
})

test('counts all posts as new if none of them is shown', () => {
  expect(newAtTop([], ['b', 'a'])).toEqual(['b', 'a'])
  expect(newAtTop(['a'], ['z', 'y'])).toEqual(['z', 'y'])
})

test('describes the number of new posts in words', () => {
  expect([1, 2, 19, 20, 25].map((count) => newPostsText(count, 20))).toEqual([
    '1 new post',
    '2 new posts',
    '19 new posts',
    '20+ new posts',
    '20+ new posts',
  ])
})
