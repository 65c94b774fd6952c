import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export type StoredAnswer = { body: string; etag: string; link: string | undefined }

export type AnswerCache = {
  answer(topic: CacheTopic, key: string, produce: () => Promise<StoredAnswer>): Promise<StoredAnswer>
  /** Call after the commit and before responding to the writer. Responses made earlier aren't served again. */
  invalidate(topic: CacheTopic): void
  /** Changes with every invalidation. Part of the key of anything cached elsewhere that the topic's writes change. */
  generation(topic: CacheTopic): number
}

export type CacheTopic = 'businesses'

/** How long another node may serve an older response. A writer's own requests skip the cache for longer: see `freshCookie`. */
export const maxAgeMs = 5_000

/** Limits for all cached responses and for a single one. Strings take up to two bytes per character. */
const maxBytes = 64 * 1024 * 1024
const maxAnswerBytes = 8 * 1024 * 1024

const bytesOf = ({ body, etag, link = '' }: StoredAnswer, key: string) => 2 * (body.length + etag.length + link.length + key.length)

export function createAnswerCache(
  now: () => number = () => performance.now(),
  onAnswer: (result: 'hit' | 'shared' | 'miss') => void = () => {},
): AnswerCache {
  const generations = new Map<CacheTopic, number>()
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

  return {
    generation,
    answer(topic, key, produce) {
      // Concurrent readers share one computation, but never one from before an invalidation, which has another generation.
      const id = `${topic} ${generation(topic)} ${key}`
      const cached = answers.get(id)
      if (cached) {
        onAnswer('hit')
        return Promise.resolve(cached)
      }
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
    },
  }
}

export const etagOf = (body: string | Buffer): string => `W/"${createHash('sha1').update(body).digest('base64url')}"`

/**
 * Set on the response to every write. Reads of a browser that has it skip the cache, so that a person who writes on one node and reads
 * on another sees their own change.
 */
export const freshCookie = { name: 'fresh', maxAgeSeconds: 15 }

/** Did the browser just write? If so, it must not get cached responses. */
export const isFresh = (request: { headers: { cookie?: string | undefined } }): boolean =>
  request.headers.cookie?.includes(`${freshCookie.name}=`) ?? false

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

/** Caches a value that is slow to read. Concurrent callers share one read. */
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
