import { expect, test } from 'vitest'
import { ownDisplayName, publicDisplayName } from './people.rules.ts'

const unnamed = { displayName: null, firstName: null, lastName: null, email: 'ann.gardener@example.com' }

test.each([
  ['prefers the display name', { displayName: ' Ann G. ', firstName: 'Ann', lastName: 'Gardener' }, 'Ann G.'],
  ['falls back to first and last name', { firstName: 'Ann', lastName: 'Gardener' }, 'Ann Gardener'],
  ['accepts a last name alone', { firstName: null, lastName: ' Gardener ' }, 'Gardener'],
  ['ignores blank names', { displayName: '  ', firstName: 'Ann', lastName: ' ' }, 'Ann'],
])('%s', (_, names, expected) => {
  expect(ownDisplayName({ ...unnamed, ...names })).toBe(expected)
  expect(publicDisplayName({ ...unnamed, ...names })).toBe(expected)
})

test('shows the local part of the email only to its owner', () => {
  expect(ownDisplayName(unnamed)).toBe('ann.gardener')
  expect(publicDisplayName(unnamed)).toBe('Member')
})

test('falls back to "User" for the owner', () => {
  expect(ownDisplayName({ ...unnamed, email: '' })).toBe('User')
  expect(ownDisplayName({ ...unnamed, email: '@example.com' })).toBe('User')
})
