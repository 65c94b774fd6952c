type Refreshed<T> = {
  read: () => Promise<T>
  /** In milliseconds. An older value is replaced in the background, and still returned meanwhile. */
  freshMs: number
  /** In milliseconds. Callers wait for the next value rather than get an older one. */
  maxAgeMs: number
  nowMs: () => number
  /** Called when a value couldn't be replaced in the background. The next call tries again. */
  onError?: (error: unknown) => void
}

/** Caches a value that takes long to read. Concurrent callers share one read. */
export function refreshed<T>({ read, freshMs, maxAgeMs, nowMs, onError }: Refreshed<T>): () => Promise<T> {
  let cached: { at: number; value: T } | undefined
  let reading: Promise<T> | undefined

  function refresh(): Promise<T> {
    const at = nowMs()
    reading ??= read()
      .then((value) => {
        cached = { at, value }
        return value
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  return async () => {
    const age = cached ? nowMs() - cached.at : Number.POSITIVE_INFINITY
    // Negative if the clock was set back, which says nothing about the value's age.
    if (!cached || age < 0 || age >= maxAgeMs) return refresh()
    if (age >= freshMs) refresh().catch((error: unknown) => onError?.(error))
    return cached.value
  }
}
