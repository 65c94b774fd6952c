import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** A serialized answer, ready to send again. */
export type StoredAnswer = { body: string; etag: string; link: string | undefined }

export type AnswerCache = {
  /** The cached answer, or what `produce` makes, cached for the next reader. */
  answer(topic: CacheTopic, key: string, produce: () => Promise<StoredAnswer>): Promise<StoredAnswer>
  /** Call after the commit and before answering the writer: no answer made before this moment is given again. */
  invalidate(topic: CacheTopic): void
}

export type CacheTopic = 'businesses'

/** How long another node may still give an older answer. A writer's own requests skip the cache for longer: see `freshCookie`. */
export const maxAgeMs = 5_000

/** Of all cached answers together, and of a single one. A string takes up to two bytes a character. */
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

  return {
    answer(topic, key, produce) {
      // Readers who arrive together share one computation, but never one that began before an invalidation: that is of another generation.
      const id = `${topic} ${generations.get(topic) ?? 0} ${key}`
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
      generations.set(topic, (generations.get(topic) ?? 0) + 1)
    },
  }
}

export const etagOf = (body: string | Buffer): string => `W/"${createHash('sha1').update(body).digest('base64url')}"`

/**
 * Set on the answer to every write. While a browser carries it, its reads skip the cache, so that a person who wrote
 * on one node and reads on another sees the own change.
 */
export const freshCookie = { name: 'fresh', maxAgeSeconds: 15 }

/** Whether a request comes from a browser that has just written: nothing cached may be shown to it. */
export const isFresh = (request: { headers: { cookie?: string | undefined } }): boolean =>
  request.headers.cookie?.includes(`${freshCookie.name}=`) ?? false
