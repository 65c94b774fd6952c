import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

export type StoredAnswer = { body: string | Buffer; etag: string; link: string | undefined }

export type AnswerCache = {
  /** The cached response, if there is one. */
  find(topic: CacheTopic, key: string): StoredAnswer | undefined
  /** Returns the cached response or produces it. */
  answer(topic: CacheTopic, key: string, produce: () => Promise<StoredAnswer>): Promise<StoredAnswer>
  /** Call after the commit and before responding to the writer. This process doesn't serve earlier responses again. */
  invalidate(topic: CacheTopic): void
  /** Changes with every invalidation. Include it in the key of anything cached elsewhere that the topic's writes change. */
  generation(topic: CacheTopic): number
  /** When the topic was last invalidated, as `performance.now()`. Reads for the cache must include everything committed before. */
  invalidatedAt(topic: CacheTopic): number
}

export type CacheTopic = 'businesses'

/** How long another node may serve an older response. A writer's own requests skip the cache for longer: see `replica-reads.ts`. */
export const maxAgeMs = 5_000

/** For all cached responses combined, and for each one. Strings take up to two bytes per character. */
const maxBytes = 64 * 1024 * 1024
const maxAnswerBytes = 8 * 1024 * 1024

const bytesOf = ({ body, etag, link = '' }: StoredAnswer, key: string) =>
  (typeof body === 'string' ? 2 : 1) * body.length + 2 * (etag.length + link.length + key.length)

export function createAnswerCache(
  now: () => number = () => performance.now(),
  onAnswer: (result: 'hit' | 'shared' | 'miss') => void = () => {},
): AnswerCache {
  const generations = new Map<CacheTopic, number>()
  const invalidations = new Map<CacheTopic, number>()
  const answers = new LRUCache<string, StoredAnswer>({
    maxSize: maxBytes,
    maxEntrySize: maxAnswerBytes,
    sizeCalculation: bytesOf,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now },
  })
  const pending = new Map<string, Promise<StoredAnswer>>()
  const generation = (topic: CacheTopic) => generations.get(topic) ?? 0
  // Concurrent callers share one computation, but never one from before an invalidation, which changes the generation.
  const idOf = (topic: CacheTopic, key: string) => `${topic} ${generation(topic)} ${key}`
  const find = (id: string) => {
    const cached = answers.get(id)
    if (cached) onAnswer('hit')
    return cached
  }

  return {
    generation,
    invalidatedAt: (topic) => invalidations.get(topic) ?? Number.NEGATIVE_INFINITY,
    find: (topic, key) => find(idOf(topic, key)),
    answer(topic, key, produce) {
      const id = idOf(topic, key)
      const cached = find(id)
      if (cached) return Promise.resolve(cached)
      const running = pending.get(id)
      onAnswer(running ? 'shared' : 'miss')
      if (running) return running
      const made = produce()
        .then((answer) => {
          answers.set(id, answer)
          return answer
        })
        .finally(() => pending.delete(id))
      pending.set(id, made)
      return made
    },
    invalidate(topic) {
      generations.set(topic, generation(topic) + 1)
      invalidations.set(topic, now())
    },
  }
}

/** In characters. A shorter text is sent faster along with the headers, and as bytes it would pin a shared block of memory. */
const minEncoded = 4096

/** A response with its ETag. A long text is encoded only once, for the ETag, the content length and every time it is sent. */
export function storedAnswer(written: string | Buffer, link?: string): StoredAnswer {
  const body = typeof written !== 'string' ? written : written.length < minEncoded ? compacted(written) : Buffer.from(written)
  return { body, etag: etagOf(body), link }
}

/**
 * Stores a text in one byte per character if possible. If V8 stores a single part of a text in two bytes per character, it does so with
 * the whole text, which then takes several microseconds longer to send.
 */
function compacted(text: string): string {
  const copy = Buffer.from(text, 'latin1').toString('latin1')
  return copy === text ? copy : text
}

export const etagOf = (body: string | Buffer): string => `W/"${hash('sha1', body, 'base64url')}"`

const opaqueTag = (etag: string) => etag.trim().replace(/^W\//, '')

/** Whether If-None-Match names this ETag. It may list several, and proxies may have added or removed `W/`. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header === etag || header.split(',').some((each) => each.trim() === '*' || opaqueTag(each) === opaqueTag(etag)))

/**
 * Lets callers with the same key share a read that starts after all of them have asked, so none gets anything older than what they would
 * have read alone. Callers that arrive while one read is running wait for the next. If a read fails, it fails for all who share it.
 */
export function shareReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<T>>()

  async function start(key: string, read: () => Promise<T>): Promise<T> {
    await (running.get(key) ?? setImmediate())
    next.delete(key)
    const result = read()
    const settled = result.catch(() => undefined)
    running.set(key, settled)
    void settled.then(() => running.get(key) === settled && running.delete(key))
    return result
  }
  return (key, read) => {
    const shared = next.get(key) ?? start(key, read)
    next.set(key, shared)
    return shared
  }
}

type Refreshed<T> = {
  read: () => Promise<T>
  /** In milliseconds. An older value is still returned while it is replaced in the background. */
  freshMs: number
  /** In milliseconds. Callers wait for the next value instead of getting an older one. */
  maxAgeMs: number
  nowMs: () => number
  /** Called if a value couldn't be replaced in the background. The next call tries again. */
  onError?: (error: unknown) => void
}

/** Caches a value that is slow to read. Concurrent callers share one read. */
export function cacheAndRefresh<T>({ read, freshMs, maxAgeMs, nowMs, onError }: Refreshed<T>): () => Promise<T> {
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
    // Negative if the clock was set back, so the value's age is unknown.
    if (!cached || age < 0 || age >= maxAgeMs) return refresh()
    if (age >= freshMs) refresh().catch((error: unknown) => onError?.(error))
    return cached.value
  }
}
