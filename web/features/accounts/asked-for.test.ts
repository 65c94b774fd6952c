import { expect, test } from 'vitest'
import { askedFor, authHeading } from './asked-for.ts'

test.each([
  ['/business/green-hills-farm', 'this business'],
  ['/business/0190a7c0-0000-7000-8000-000000000001?tab=posts', 'this business'],
  ['/business-dashboard', 'your business dashboard'],
  ['/favorites/', 'your favorites'],
  ['/discover?search=denver#list', 'Discover'],
  ['/communities', 'Communities'],
  ['/communities/growers', 'this community'],
  ['/', null],
  ['/nowhere', null],
  ['/business/one/two', null],
])('%s is %s', (path, name) => {
  expect(askedFor(path)).toBe(name)
})

test('the heading says what signing in or up leads to', () => {
  const brand = { name: 'Sungrove' }
  expect(authHeading('sign-in', '/favorites', brand)).toBe('Sign in to see your favorites')
  expect(authHeading('sign-up', '/favorites', brand)).toBe('Join Sungrove to see your favorites')
  expect(authHeading('sign-in', '/', brand)).toBe('Sign in to Sungrove')
  expect(authHeading('sign-up', '/', brand)).toBe('Join Sungrove')
})
