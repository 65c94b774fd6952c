let last: Promise<unknown> = Promise.resolve()

/** Runs one piece of work at a time in this tab. */
function aloneHere<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work)
  last = result.catch(() => undefined)
  return result
}

/**
 * Runs one piece of work at a time over all tabs, where the browser has locks: on secure origins. Elsewhere two tabs may send the same
 * entry at once, which the server knows by its id.
 */
export function alone<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager }
  return locks ? (locks.request('outbox', work) as Promise<T>) : aloneHere(work)
}
