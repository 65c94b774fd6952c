import { randomKey } from '#web/lib/random-key.ts'
import { getTabItem, removeTabItem, setTabItem } from './tab-memory.ts'

const storageKey = (subject: string) => `creation-key.${subject}`

/**
 * The same data has the same key until the creation succeeds, across reloads, so retrying after a lost response doesn't create anything
 * twice. Other data gets a new key, because the server rejects a reused key with different data.
 */
export function creationKey(subject: string, data: object): string {
  const fingerprint = JSON.stringify(data)
  const stored = getTabItem(storageKey(subject)) as { key?: unknown; fingerprint?: unknown } | null | undefined
  if (typeof stored?.key === 'string' && stored.fingerprint === fingerprint) return stored.key
  const key = randomKey()
  setTabItem(storageKey(subject), { key, fingerprint })
  return key
}

export const dropCreationKey = (subject: string): void => removeTabItem(storageKey(subject))
