import { expect, test } from 'vitest'
import { textParam, wholeParam, wordParam } from './search-params.ts'

test.each([
  ['  Denver ', 'Denver'],
  [80202, '80202'],
  ['12345678', '12345678'],
  ['123456789', undefined],
  ['   ', undefined],
  ['', undefined],
  [undefined, undefined],
  [null, undefined],
  [['Denver'], undefined],
])('reads the text parameter %o as %o', (value, text) => {
  expect(textParam(value, 8)).toBe(text)
})

test.each([
  ['list', 'list'],
  ['map', 'map'],
  ['grid', undefined],
  [['map'], undefined],
  [undefined, undefined],
])('reads the choice parameter %o as %o', (value, word) => {
  expect(wordParam(value, ['list', 'map'])).toBe(word)
})

test.each([
  [1, 1],
  [500, 500],
  [0, undefined],
  [501, undefined],
  [2.5, undefined],
  ['25', undefined],
  [Number.NaN, undefined],
])('reads the integer parameter %o as %o', (value, number) => {
  expect(wholeParam(value, 1, 500)).toBe(number)
})
