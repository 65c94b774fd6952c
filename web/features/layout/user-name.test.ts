import { expect, test } from 'vitest'
import { userName } from './user-name.ts'

const nobody = { displayName: null, firstName: null, lastName: null, email: '' }

test.each([
  [{ ...nobody, displayName: 'Sunny', firstName: 'Ann', lastName: 'Gray', email: 'ann@example.com' }, 'Sunny'],
  [{ ...nobody, firstName: 'Ann', lastName: 'Gray', email: 'ann@example.com' }, 'Ann Gray'],
  [{ ...nobody, firstName: 'Ann', email: 'ann@example.com' }, 'Ann'],
  [{ ...nobody, lastName: 'Gray' }, 'Gray'],
  [{ ...nobody, displayName: '  ', firstName: ' ', email: 'ann.gray@example.com' }, 'ann.gray'],
  [nobody, 'User'],
])('%o is called %s', (user, name) => {
  expect(userName(user)).toBe(name)
})
