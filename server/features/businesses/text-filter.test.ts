import { expect, it } from 'vitest'
import { searchTextOf, searchWords } from './search.ts'

it('separates fields with line breaks', () => {
  expect(searchTextOf({ name: 'Green', description: null, location: 'Denver, CO' })).toBe('green\ndenver, co')
})

it('searches each word once, up to a limited number of words', () => {
  expect(searchWords('  Star  star Buds ')).toEqual(['star', 'buds'])
  expect(searchWords('a b c d e f g h i j k')).toHaveLength(8)
  expect(searchWords(' ')).toEqual([])
})
