import { beforeEach, expect, test, vi } from 'vitest'
import {
  forgetSearch,
  forgetSearches,
  forgetSearchesExceptOf,
  maxRecent,
  readRecent,
  recentSearches,
  rememberSearch,
  withRecent,
} from './recent-searches.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    get length() {
      return stored.size
    },
    key: (index: number) => [...stored.keys()][index] ?? null,
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
})

test('lists the newest search first, each search once, and drops the eleventh', () => {
  expect(withRecent(['denver', 'Blue Dream'], 'blue dream')).toEqual(['blue dream', 'denver'])
  for (let i = 1; i <= maxRecent + 1; i++) rememberSearch('wren', `search ${i}`)
  expect(recentSearches('wren')).toHaveLength(maxRecent)
  expect(recentSearches('wren')[0]).toBe('search 11')
  expect(recentSearches('wren').at(-1)).toBe('search 2')
})

test('trims spaces and skips empty searches', () => {
  rememberSearch('wren', '  og kush ')
  rememberSearch('wren', '   ')
  expect(recentSearches('wren')).toEqual(['og kush'])
})

test('keeps accounts separate, and clears one search, one account’s searches, or those of all other accounts', () => {
  rememberSearch('wren', 'one')
  rememberSearch('wren', 'two')
  rememberSearch('marlow', 'three')
  expect(recentSearches('wren')).toEqual(['two', 'one'])
  forgetSearch('wren', 'two')
  expect(recentSearches('wren')).toEqual(['one'])
  stored.set('something-else', 'stays')
  forgetSearchesExceptOf('marlow')
  expect(recentSearches('wren')).toEqual([])
  expect(recentSearches('marlow')).toEqual(['three'])
  forgetSearches('marlow')
  expect([...stored]).toEqual([['something-else', 'stays']])
})

test.each([[null], ['{"a":1}'], ['not json'], ['7']])('ignores the stored value %s', (text) => {
  expect(readRecent(text)).toEqual([])
})

test('skips entries that aren’t text', () => {
  expect(readRecent('["a", 7, null, "", "b"]')).toEqual(['a', 'b'])
})

test('returns the same array until it changes, and an empty one without storage', () => {
  rememberSearch('wren', 'one')
  expect(recentSearches('wren')).toBe(recentSearches('wren'))
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('refused')
    },
  })
  expect(() => rememberSearch('wren', 'two')).not.toThrow()
  expect(recentSearches('wren')).toEqual([])
})
