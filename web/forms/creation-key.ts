import { randomKey } from '#web/lib/random-key.ts'
import { forget, recall, remember } from './tab-memory.ts'

const storageKey = (subject: string) => `creation-key.${subject}`

/**
 * Idempotency-Key of a creation: stable for the same data until it succeeds, across reloads, so that a retry after a lost response creates
 * nothing twice. Other data gets a new key, because the server rejects a reused key with different data.
 */
export function creationKey(subject: string, data: object): string {
  const fingerprint = JSON.stringify(data)
  const stored = recall(storageKey(subject)) as { key?: unknown; fingerprint?: unknown } | null | undefined
  if (typeof stored?.key === 'string' && stored.fingerprint === fingerprint) return stored.key
  const key = randomKey()
  remember(storageKey(subject), { key, fingerprint })
  return key
}

export const dropCreationKey = (subject: string): void => forget(storageKey(subject))
