import { expect, test } from 'vitest'
import { alreadyWords } from './import-card.tsx'

test('counts readings that were already imported', () => {
  expect(alreadyWords(1)).toBe('This reading was already imported.')
  expect(alreadyWords(1204)).toBe('All 1,204 readings were already imported.')
})
