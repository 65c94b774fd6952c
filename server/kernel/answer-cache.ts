import { createHash } from 'node:crypto'

/** A serialized answer, ready to send again. */
export type StoredAnswer = { body: string; etag: string; link: string | undefined }

export type AnswerCache = {
  /** The stored answer, or what `produce` makes, kept for the next reader. */
  answer(topic: CacheTopic, key: string, produce: () => Promise<StoredAnswer>): Promise<StoredAnswer>
  /** Call after the commit and before answering the writer: no answer made before this moment is given again. */
  invalidate(topic: CacheTopic): void
}

export type CacheTopic = 'businesses'

/** How long another node may still give an older answer. A writer's own requests skip the cache for longer: see `freshCookie`. */
export const maxAgeMs = 5_000

const maxEntries = 5_000

export function createAnswerCache(
  now: () => number = () => performance.now(),
  onAnswer: (result: 'hit' | 'shared' | 'miss') => void = () => {},
): AnswerCache {
  const generations = new Map<CacheTopic, number>()
  const entries = new Map<string, { answer: StoredAnswer; generation: number; storedAt: number }>()
  const pending = new Map<string, Promise<StoredAnswer>>()
  const generationOf = (topic: CacheTopic) => generations.get(topic) ?? 0

  return {
    answer(topic, key, produce) {
      const generation = generationOf(topic)
      const id = `${topic} ${key}`
      const entry = entries.get(id)
      if (entry && entry.generation === generation && now() - entry.storedAt < maxAgeMs) {
        onAnswer('hit')
        return Promise.resolve(entry.answer)
      }

      // Readers who arrive together share one computation, but never one that began before an invalidation.
      const flight = `${generation} ${id}`
      const running = pending.get(flight)
      onAnswer(running ? 'shared' : 'miss')
      if (running) return running
      const made = produce()
        .then((answer) => {
          if (generationOf(topic) === generation) {
            entries.delete(id)
            entries.set(id, { answer, generation, storedAt: now() })
            if (entries.size > maxEntries) entries.delete(entries.keys().next().value as string)
          }
          return answer
        })
        .finally(() => pending.delete(flight))
      pending.set(flight, made)
      return made
    },
    invalidate(topic) {
      generations.set(topic, generationOf(topic) + 1)
    },
  }
}

export const etagOf = (body: string): string => `W/"${createHash('sha1').update(body).digest('base64url')}"`

/**
 * Set on the answer to every write. While a browser carries it, its reads skip the cache, so that a person who wrote
 * on one node and reads on another sees the own change.
 */
export const freshCookie = { name: 'fresh', maxAgeSeconds: 15 }

/** Whether a request comes from a browser that has just written: nothing that is kept may be shown to it. */
export const isFresh = (request: { headers: { cookie?: string | undefined } }): boolean =>
  request.headers.cookie?.includes(`${freshCookie.name}=`) ?? false
