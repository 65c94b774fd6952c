import { createListeners, deviceItem, useStore } from '#web/lib/store.ts'

export const maxRecent = 10

const prefix = 'recent-searches:'
const none: readonly string[] = []
const { notify, subscribe } = createListeners(() => {
  window.addEventListener('storage', notify)
  return () => window.removeEventListener('storage', notify)
})

/** Ignores case. */
export function withRecent(texts: readonly string[], text: string): readonly string[] {
  const same = text.toLowerCase()
  return [text, ...texts.filter((each) => each.toLowerCase() !== same)].slice(0, maxRecent)
}

/** Validates stored values, because people can edit their browser's storage, and other versions of the app may have written to it. */
export function readRecent(stored: string | null): readonly string[] {
  try {
    const texts: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string' && text !== '').slice(0, maxRecent) : none
  } catch {
    return none
  }
}

export function rememberSearch(accountId: string, text: string): void {
  const trimmed = text.trim().slice(0, 120)
  if (trimmed) write(accountId, withRecent(recentSearches(accountId), trimmed))
}

export function forgetSearch(accountId: string, text: string): void {
  write(
    accountId,
    recentSearches(accountId).filter((each) => each !== text),
  )
}

export const forgetSearches = (accountId: string): void => write(accountId, none)

/** Deletes other accounts' searches, because their owners may have left without signing out. */
export function forgetSearchesExceptOf(accountId: string | null): void {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
    for (const key of keys) if (key.startsWith(prefix) && key !== prefix + accountId) localStorage.removeItem(key)
  } catch {
    // Storage is unavailable, so nothing was stored.
  }
  notify()
}

export const useRecentSearches = (accountId: string): readonly string[] => useStore({ get: () => recentSearches(accountId), subscribe })

/** The last list read, so `recentSearches` returns the same array until the list changes, as `useStore` requires. */
let last: { key: string; stored: string | null; texts: readonly string[] } | undefined

/** The list is private: stored on this device per account, newest first, never sent, and deleted at sign-out. */
export function recentSearches(accountId: string): readonly string[] {
  const key = prefix + accountId
  const stored = deviceItem(key).get()
  if (last?.key !== key || last.stored !== stored) last = { key, stored, texts: readRecent(stored) }
  return last.texts
}

function write(accountId: string, texts: readonly string[]): void {
  deviceItem(prefix + accountId).set(texts.length === 0 ? null : JSON.stringify(texts))
  notify()
}
