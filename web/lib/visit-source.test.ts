import { expect, test } from 'vitest'
import { visitSource } from './visit-source.ts'

const page = 'https://sungrove.example/business/green-hills'

test.each([
  [{ pathname: '/discover', search: {} }, 'search'],
  [{ pathname: '/discover', search: { view: 'map' } }, 'map'],
  [{ pathname: '/search', search: { q: 'green' } }, 'search'],
  [{ pathname: '/favorites', search: {} }, 'favorites'],
  [{ pathname: '/', search: {} }, 'feed'],
  [{ pathname: '/post/1', search: {} }, 'feed'],
  [{ pathname: '/people/1', search: {} }, 'other'],
])('recognizes a visit from the app’s page %j as %s', (before, source) => {
  expect(visitSource(before, `${page}?from=embed`)).toBe(source)
})

test.each([
  [`${page}?from=embed`, 'embed'],
  [`${page}?tab=posts&from=share`, 'share'],
  [`${page}?from=search`, 'other'],
  [page, 'other'],
  ['', 'other'],
])('classifies an external visit to %j as %s', (address, source) => {
  expect(visitSource(undefined, address)).toBe(source)
})
