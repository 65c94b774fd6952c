/** What a tab remembers across reloads, until it is closed. Storage can be refused (blocked cookies): then nothing is remembered. */
export function remember(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Everything that is remembered is a convenience; the page works without.
  }
}

/** What was remembered, as whatever it is: people can edit the storage. Undefined when there is nothing. */
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
    // Nothing was stored then.
  }
}
