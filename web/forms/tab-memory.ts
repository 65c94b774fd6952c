/** Session storage. No-op if storage is blocked. */
export function remember(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Storage is a convenience; the page works without it.
  }
}

/** Returns the stored value unvalidated, since people can edit storage. Undefined if there is none. */
export function recall(name: string): unknown {
  try {
    const text = sessionStorage.getItem(name)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function forget(name: string): void {
  try {
    sessionStorage.removeItem(name)
  } catch {
    // Storage is unavailable, so nothing was stored.
  }
}
