import { expect, test } from 'vitest'
import { searchText, searchUrl } from './recent-searches.ts'

test.each([
  ['  green hills ', 'green hills'],
  ['   ', null],
  ['', null],
  [undefined, null],
])('reads %o as %o', (typed, text) => {
  expect(searchText(typed)).toBe(text)
})

test.each([
  ['Denver, CO', '/search?q=Denver%2C%20CO'],
  ['50% & more?#', '/search?q=50%25%20%26%20more%3F%23'],
])('searches %s at %s', (text, url) => {
  expect(searchUrl(text)).toBe(url)
})
