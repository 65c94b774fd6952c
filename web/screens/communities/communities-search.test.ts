import { expect, it } from 'vitest'
import { readCommunitiesSearch, readCommunitySearch } from './communities-search.ts'

it('reads valid parameters and omits defaults', () => {
  expect(readCommunitiesSearch({ tab: 'discover', q: ' soil ', category: 'growing', sort: 'featured' })).toEqual({
    q: 'soil',
    category: 'growing',
  })
  expect(readCommunitiesSearch({ tab: 'my', q: 'soil' })).toEqual({ tab: 'my' })
  expect(readCommunitiesSearch({ tab: 'nonsense', category: 'sports', sort: 'loudest', q: 80202 })).toEqual({ q: '80202' })
})

it('opens the posts if the address names no other section', () => {
  expect(readCommunitySearch({ section: 'posts' })).toEqual({})
  expect(readCommunitySearch({ section: 'members' })).toEqual({ section: 'members' })
  expect(readCommunitySearch({ section: 'everything' })).toEqual({})
})

it('reads the sort order, and a period only for the top posts', () => {
  expect(readCommunitySearch({ sort: 'top', period: 'week' })).toEqual({ sort: 'top', period: 'week' })
  expect(readCommunitySearch({ sort: 'top', period: 'all' })).toEqual({ sort: 'top' })
  expect(readCommunitySearch({ sort: 'active', period: 'week' })).toEqual({ sort: 'active' })
  expect(readCommunitySearch({ sort: 'new' })).toEqual({})
  expect(readCommunitySearch({ section: 'about', sort: 'top' })).toEqual({ section: 'about' })
})
