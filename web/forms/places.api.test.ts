import { expect, test, vi } from 'vitest'

vi.mock('#web/lib/call.ts', () => ({ call: vi.fn() }))

test('stores a person’s place as a city, whatever was typed', async () => {
  const { cityText } = await import('./places.api.ts')
  expect(cityText({ kind: 'zip', label: 'Denver, CO 80202' })).toBe('Denver, CO')
  expect(cityText({ kind: 'city', label: 'Denver, CO' })).toBe('Denver, CO')
  expect(cityText({ kind: 'state', label: 'Colorado' })).toBe('Colorado')
})
