import { afterAll, expect, vi } from 'vitest'

// The files of the unit tests share a process, which saves half of their time. This runs before each of them.

// Stores and caches live in modules: each file has them anew.
vi.resetModules()
// So it is with the stand-in for a browser's databases, once a file has brought it.
if ('indexedDB' in globalThis) Object.assign(globalThis, { indexedDB: new (await import('fake-indexeddb')).IDBFactory() })

/** The one that sharp sets for itself is nobody's dirt. */
const environment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'VIPSHOME'))
const before = environment()

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  expect(environment(), 'the environment, as this file leaves it to the next one').toEqual(before)
})
