import { expect, test } from 'vitest'
import { importWords, mappingProblem, stepOf } from './import-words.ts'

test('a mapping needs a name and a price, each once', () => {
  expect(mappingProblem(['name', null, 'price'])).toBeNull()
  expect(mappingProblem(['name', 'name', 'price'])).toBe('Two columns are taken for Name. Leave one of them out.')
  expect(mappingProblem(['name', 'sku'])).toBe('Say which column is the Price.')
  expect(mappingProblem([null])).toBe('Say which column is the Name and which is the Price.')
})

const entry = { itemsAdded: 0, itemsChanged: 0, rowsRefused: 0, rowsDone: 0, rowsTotal: 0, error: null }

test.each([
  [{ status: 'done', itemsAdded: 1, itemsChanged: 1200 }, '1 item added, 1,200 items changed'],
  [{ status: 'done', itemsAdded: 2, rowsRefused: 1 }, '2 items added, 0 items changed, 1 row left out'],
  [{ status: 'running', rowsDone: 500, rowsTotal: 20_000 }, '500 of 20,000 rows'],
  [{ status: 'failed', error: 'Row 3 has no price' }, 'Row 3 has no price'],
  [{ status: 'undone' }, 'Undone: the menu is as it was before'],
] as const)('%o: %s', (changes, words) => {
  expect(importWords({ ...entry, ...changes })).toBe(words)
})

test('the steps follow the status', () => {
  expect((['receiving', 'ready', 'running', 'done', 'failed', 'undone'] as const).map(stepOf)).toEqual([1, 2, 3, 3, 3, 3])
})
