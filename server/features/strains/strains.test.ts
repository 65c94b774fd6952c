import { describe, expect, test } from 'vitest'
import { createNameSearch, nameKey, searchNames, suggestBreeders, suggestStrains } from './index.ts'

const names = ['Blue Dream', 'Dream Queen', 'Daydream', 'Zaza', 'Blue  Cheese']
const search = createNameSearch(new Map(names.map((name) => [nameKey(name), name])))

describe('searching names', () => {
  test('ranks prefix matches first, then word prefixes, then substrings', () => {
    expect(searchNames(search, 'dream', 8)).toEqual(['Dream Queen', 'Blue Dream', 'Daydream'])
  })

  test('returns at most the requested number, and none for an empty query', () => {
    expect(searchNames(search, 'dream', 2)).toEqual(['Dream Queen', 'Blue Dream'])
    expect(searchNames(search, '  ', 8)).toEqual([])
  })

  test('ignores case and repeated spaces', () => {
    expect(searchNames(search, 'BLUE   ch', 8)).toEqual(['Blue  Cheese'])
  })
})

describe('the strain list', () => {
  test('has known strains, and lists each breeder once', () => {
    expect(suggestStrains('blue dream', 1)[0]?.name).toBe('Blue Dream')
    const breeders = suggestBreeders('seeds', 20).map(({ name }) => name)
    expect(breeders.length).toBe(20)
    expect(new Set(breeders.map(nameKey)).size).toBe(20)
    expect(breeders.some((name) => /^unknown/i.test(name))).toBe(false)
  })
})
