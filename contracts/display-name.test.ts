import { expect, test } from 'vitest'
import { ownDisplayName, publicDisplayName } from './display-name.ts'

const nobody = { displayName: null, firstName: null, lastName: null, email: 'ann.gardener@example.com' }

test.each([
  ['the display name comes first', { displayName: ' Ann G. ', firstName: 'Ann', lastName: 'Gardener' }, 'Ann G.'],
  ['then first and last name', { firstName: 'Ann', lastName: 'Gardener' }, 'Ann Gardener'],
  ['one of them is enough', { firstName: null, lastName: ' Gardener ' }, 'Gardener'],
  ['blank names are none', { displayName: '  ', firstName: 'Ann', lastName: ' ' }, 'Ann'],
])('%s', (_, names, expected) => {
  expect(ownDisplayName({ ...nobody, ...names })).toBe(expected)
  expect(publicDisplayName({ ...nobody, ...names })).toBe(expected)
})

test('the part of the email before the @ is for its owner alone', () => {
  expect(ownDisplayName(nobody)).toBe('ann.gardener')
  expect(publicDisplayName(nobody)).toBe('Member')
})

test('without anything, the owner is "User"', () => {
  expect(ownDisplayName({ ...nobody, email: '' })).toBe('User')
  expect(ownDisplayName({ ...nobody, email: '@example.com' })).toBe('User')
})
