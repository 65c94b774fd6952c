import { useSyncExternalStore } from 'react'

/** What somebody searched for on this device, newest first. It is theirs alone: kept per account, sent nowhere, gone with signing out. */
export const mostRecent = 10

const prefix = 'recent-searches:'
const none: readonly string[] = []
const listeners = new Set<() => void>()

/** A text comes to the top; the same one in other capitals is one search. */
export function withRecent(texts: readonly string[], text: string): readonly string[] {
  const same = text.toLowerCase()
  return [text, ...texts.filter((each) => each.toLowerCase() !== same)].slice(0, mostRecent)
}

/** Whatever is found in the storage: people can edit it, and other versions wrote it. */
export function readRecent(stored: string | null): readonly string[] {
  try {
    const texts: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string' && text !== '').slice(0, mostRecent) : none
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

/** Of everybody on this device but one: somebody else may have gone without signing out. */
export function forgetSearchesExceptOf(accountId: string | null): void {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
    for (const key of keys) if (key.startsWith(prefix) && key !== prefix + accountId) localStorage.removeItem(key)
  } catch {
    // Nothing was stored then.
  }
  tell()
}

export const useRecentSearches = (accountId: string): readonly string[] => useSyncExternalStore(subscribe, () => recentSearches(accountId))

/** The same list until it changes, as React asks for. */
let last: { key: string; stored: string | null; texts: readonly string[] } | undefined

export function recentSearches(accountId: string): readonly string[] {
  const key = prefix + accountId
  let stored: string | null = null
  try {
    stored = localStorage.getItem(key)
  } catch {
    // Storage can be refused: then nothing is remembered.
  }
  if (last?.key !== key || last.stored !== stored) last = { key, stored, texts: readRecent(stored) }
  return last.texts
}

function write(accountId: string, texts: readonly string[]): void {
  try {
    if (texts.length === 0) localStorage.removeItem(prefix + accountId)
    else localStorage.setItem(prefix + accountId, JSON.stringify(texts))
  } catch {
    // To remember is a convenience.
  }
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab of the same browser.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
