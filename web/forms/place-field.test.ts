import { expect, test } from 'vitest'
import { cityText } from './place-field.tsx'

test('leaves the ZIP code out of a person’s place', async () => {
  expect(cityText({ kind: 'zip', label: 'Denver, CO 80202' })).toBe('Denver, CO')
  expect(cityText({ kind: 'city', label: 'Denver, CO' })).toBe('Denver, CO')
  expect(cityText({ kind: 'state', label: 'Colorado' })).toBe('Colorado')
})
