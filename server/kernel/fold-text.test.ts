import { expect, it } from 'vitest'
import { foldText } from './fold-text.ts'

it('folds case, accents, and apostrophes the same way in the text and the query', () => {
  expect(foldText('BOUFFÉE')).toBe(foldText('bouffee'))
  expect(foldText('Nature’s')).toBe(foldText("nature's"))
  expect(foldText('Rīzōm')).toBe('rizom')
})
