import { expect, it } from 'vitest'
import { foldText, searchTextOf, searchWords } from './text-filter.ts'

it('folds case, accents and apostrophes alike in the text and in the question', () => {
  expect(foldText('BOUFFÉE')).toBe(foldText('bouffee'))
  expect(foldText('Nature’s')).toBe(foldText("nature's"))
  expect(foldText('Rīzōm')).toBe('rizom')
})

it('keeps fields apart', () => {
  expect(searchTextOf({ name: 'Green', description: null, location: 'Denver, CO' })).toBe('green\ndenver, co')
})

it('asks for each word once, and for a bounded number of them', () => {
  expect(searchWords('  Star  star Buds ')).toEqual(['star', 'buds'])
  expect(searchWords('a b c d e f g h i j k')).toHaveLength(8)
  expect(searchWords(' ')).toEqual([])
})
