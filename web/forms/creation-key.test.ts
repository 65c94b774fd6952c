import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { creationKey, dropCreationKey } from './creation-key.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('keeps the key for the same data until the item is created', () => {
  const first = creationKey('business', { name: 'Green Hills' })
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(creationKey('business', { name: 'Green Hills' })).toBe(first)
  dropCreationKey('business')
  expect(creationKey('business', { name: 'Green Hills' })).not.toBe(first)
})

test('uses a different key for other data or another subject', () => {
  const first = creationKey('business', { name: 'Green Hills' })
  expect(creationKey('business', { name: 'Green Hill' })).not.toBe(first)
  expect(creationKey('post', { name: 'Green Hill' })).not.toBe(first)
})
