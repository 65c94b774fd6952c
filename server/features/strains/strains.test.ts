import { describe, expect, test } from 'vitest'
import { createNameSearch, nameKey, searchNames } from './name-search.ts'
import { suggestBreeders, suggestStrains } from './strains.ts'

const names = ['Blue Dream', 'Dream Queen', 'Daydream', 'Zaza', 'Blue  Cheese']
const search = createNameSearch(new Map(names.map((name) => [nameKey(name), name])))

describe('Searching names', () => {
  test('gives those that begin with a text, then those with a word that does, then those that hold it', () => {
    expect(searchNames(search, 'dream', 8)).toEqual(['Dream Queen', 'Blue Dream', 'Daydream'])
  })

  test('gives no more than asked for, and nothing for nothing', () => {
    expect(searchNames(search, 'dream', 2)).toEqual(['Dream Queen', 'Blue Dream'])
    expect(searchNames(search, '  ', 8)).toEqual([])
  })

  test('looks past case and runs of blanks', () => {
    expect(searchNames(search, 'BLUE   ch', 8)).toEqual(['Blue  Cheese'])
  })
})

describe('The strain list', () => {
  test('knows strains with their breeders, and each breeder once', () => {
    expect(suggestStrains('blue dream', 1)[0]?.name).toBe('Blue Dream')
    const breeders = suggestBreeders('seeds', 20).map(({ name }) => name)
    expect(breeders.length).toBe(20)
    expect(new Set(breeders.map(nameKey)).size).toBe(20)
    expect(breeders.some((name) => /^unknown/i.test(name))).toBe(false)
  })
})
