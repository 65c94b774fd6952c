import { afterAll, expect, vi } from 'vitest'

// Unit test files share a process, which halves the time that they take. This file runs before each of them.

// Boot data exists only in a page.
vi.mock('#web/lib/boot.ts', () => ({
  boot: { user: null, answers: [], map: { tileUrl: null, pmtilesUrl: null } },
  brand: { name: 'Sungrove' },
}))

// Stores and caches are module state, so each file resets them.
vi.resetModules()
// Also resets the fake IndexedDB, if a file has loaded it.
if ('indexedDB' in globalThis) Object.assign(globalThis, { indexedDB: new (await import('fake-indexeddb')).IDBFactory() })

/** Ignores the variable that sharp sets for itself. */
const environment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'VIPSHOME'))
const before = environment()

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  expect(environment(), 'the environment after this file’s tests').toEqual(before)
})
