import { expect, test } from 'vitest'
import { addressOf, queryKey } from './address.ts'

test('fills in parameters and omits missing values', () => {
  expect(
    addressOf({ path: '/api/businesses/:id/posts' }, { params: { id: 'green hills/é' }, query: { limit: 20, cursor: undefined } }),
  ).toBe('/api/businesses/green%20hills%2F%C3%A9/posts?limit=20')
  expect(addressOf({ path: '/api/businesses' }, { query: { q: '', near: 'Denver, CO', bbox: [1, 2, 3, 4], verified: true } })).toBe(
    '/api/businesses?near=Denver%2C+CO&bbox=1%2C2%2C3%2C4&verified=true',
  )
  expect(addressOf({ path: '/api/favorites' }, {})).toBe('/api/favorites')
})

test('gives the same call the same key', () => {
  expect(queryKey({ path: '/api/favorites' })).toEqual(['/api/favorites', {}, {}])
  expect(queryKey({ path: '/api/favorites' }, { query: { limit: 1 } })).not.toEqual(queryKey({ path: '/api/favorites' }))
})
