import { forget, recall, remember } from '../accounts/tab-memory.ts'

const storageKey = (subject: string) => `creation-key.${subject}`

/**
 * The Idempotency-Key of a creation: the same for the same data until it has succeeded, across reloads, so that sending again after a lost
 * answer creates nothing twice. Other data gets another key, because the server refuses a key that comes with new data.
 */
export function creationKey(subject: string, data: object): string {
  const fingerprint = JSON.stringify(data)
  const kept = recall(storageKey(subject)) as { key?: unknown; fingerprint?: unknown } | null | undefined
  if (typeof kept?.key === 'string' && kept.fingerprint === fingerprint) return kept.key
  // crypto.randomUUID exists on secure origins only, and a first look may well be at http://192.168.…
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  remember(storageKey(subject), { key, fingerprint })
  return key
}

export const dropCreationKey = (subject: string): void => forget(storageKey(subject))
