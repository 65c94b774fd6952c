import { expect, test } from 'vitest'
import { importWords, mappingProblem, matchedWords, outlookWords, priceExample, roomLeft, roomWords, stepOf } from './menu-words.ts'

test('requires a name and a price exactly once in a mapping', () => {
  expect(mappingProblem(['name', null, 'price'])).toBeNull()
  expect(mappingProblem(['name', 'name', 'price'])).toBe('Two columns are set to Name. Skip one of them.')
  expect(mappingProblem(['name', 'sku'])).toBe('Choose the Price column to continue.')
  expect(mappingProblem([null])).toBe('Choose the Name and Price columns to continue.')
})

test('states how many columns of a file were matched', () => {
  expect(matchedWords(['name', 'price'])).toBe('We matched your columns.')
  expect(matchedWords(['name', null, null])).toBe('We matched 1 of 3 columns.')
})

const none = { itemsAdded: 0, itemsChanged: 0, itemsConfirmed: 0, itemsMissing: 0, itemsRemoved: 0 }
const entry = { ...none, kind: 'file', rowsRefused: 0, rowsDone: 0, rowsTotal: 0, error: null } as const

test.each([
  [{ status: 'done', itemsAdded: 1, itemsChanged: 1200 }, '1 item added, 1,200 items changed'],
  [{ status: 'done', itemsAdded: 2, rowsRefused: 1 }, '2 items added, 0 items changed, 1 row skipped'],
  [
    { kind: 'full_sync', status: 'done', itemsMissing: 3, rowsRefused: 1 },
    '0 items added, 0 items changed, 3 items out of stock, 1 item rejected',
  ],
  [{ status: 'done', itemsConfirmed: 7, itemsRemoved: 1 }, '0 items added, 0 items changed, 7 items confirmed, 1 item removed'],
  [{ kind: 'removal', status: 'done', itemsRemoved: 2 }, '2 items removed'],
  [{ status: 'running', rowsDone: 500, rowsTotal: 20_000 }, '500 of 20,000 rows'],
  [{ status: 'failed', error: 'Row 3 has no price' }, 'Row 3 has no price'],
  [{ status: 'undone' }, 'Undone: the menu was restored'],
] as const)('describes an import with %o: %s', (changes, words) => {
  expect(importWords({ ...entry, ...changes })).toBe(words)
})

test('explains what an import will do', () => {
  const rows = { rowsInactive: 0, rowsElsewhere: 0, rowsRefused: 1, rowsFlagged: 2 }
  expect(outlookWords({ ...none, ...rows, itemsAdded: 1, itemsConfirmed: 1380, itemsMissing: 2 })).toEqual([
    '1 item is new',
    '1,380 items are unchanged and now confirmed',
    '2 items go out of stock',
    '1 row can’t be imported',
    '2 rows to check',
  ])
})

test('shows the step for each status', () => {
  expect((['receiving', 'ready', 'running', 'done', 'failed', 'undone'] as const).map(stepOf)).toEqual([1, 2, 3, 3, 3, 3])
})

test('states how many more items the menu has room for', () => {
  expect(roomWords({ itemCount: 4, itemLimit: 5 })).toBe('4 of 5 items')
  expect(roomWords({ itemCount: 1, itemLimit: null })).toBe('1 item')
  expect(roomWords({ itemCount: 1200, itemLimit: null })).toBe('1,200 items')
  expect(roomLeft({ itemCount: 4, itemLimit: 5 })).toBe(1)
  // After a plan ends, a menu may have more items than allowed.
  expect(roomLeft({ itemCount: 9, itemLimit: 5 })).toBe(0)
  expect(roomLeft({ itemCount: 9, itemLimit: null })).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  [{ taxRate: null, pricesIncludeTax: true }, '$35.00 incl. tax'],
  [{ taxRate: 20, pricesIncludeTax: true }, '$35.00 incl. tax'],
  [{ taxRate: 15.75, pricesIncludeTax: false }, '$40.51 incl. tax'],
  [{ taxRate: null, pricesIncludeTax: false }, '$35.00 + tax'],
])('shows the price example for %o as %s', (settings, words) => {
  expect(priceExample({ currency: 'USD', ...settings })).toBe(`If you type 35.00, shoppers see ${words}.`)
})
