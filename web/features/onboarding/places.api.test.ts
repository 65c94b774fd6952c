import { expect, test, vi } from 'vitest'

vi.mock('../../lib/call.ts', () => ({ call: vi.fn() }))

test("a person's place is a city, whatever was typed to find it", async () => {
  const { cityText } = await import('./places.api.ts')
  expect(cityText({ kind: 'zip', label: 'Denver, CO 80202' })).toBe('Denver, CO')
  expect(cityText({ kind: 'city', label: 'Denver, CO' })).toBe('Denver, CO')
  expect(cityText({ kind: 'state', label: 'Colorado' })).toBe('Colorado')
})
