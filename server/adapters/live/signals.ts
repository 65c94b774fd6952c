import type { LiveSignal } from '../../kernel/live.ts'

/** PostgreSQL takes less than 8000 bytes at a time; an id with its quotes and comma has 39. */
const mostIds = 180

/** The same in pieces that are small enough for one NOTIFY each. */
export function* inPieces(signal: LiveSignal): Generator<LiveSignal> {
  if (!('userIds' in signal)) return yield signal
  for (let from = 0; from < signal.userIds.length; from += mostIds) {
    yield { ...signal, userIds: signal.userIds.slice(from, from + mostIds) }
  }
}

/** What came over the wire, or null where it is none of ours (a newer version's, during an update). */
export function toSignal(value: unknown): LiveSignal | null {
  const { kind, userIds, postId, conversationId, who } = (value ?? {}) as Record<string, unknown>
  if (kind === 'post') return typeof postId === 'string' ? { kind, postId } : null
  if (!Array.isArray(userIds)) return null
  const people = userIds.filter((id) => typeof id === 'string')
  if (kind === 'notifications' || kind === 'sessions') return { kind, userIds: people }
  if (typeof conversationId !== 'string') return null
  if (kind === 'messages') return { kind, userIds: people, conversationId }
  return kind === 'typing' && typeof who === 'string' ? { kind, userIds: people, conversationId, who } : null
}

export type Listeners = { add(listener: (signal: LiveSignal) => void): void; tell(signal: LiveSignal): void }

export function createListeners(): Listeners {
  const listeners: ((signal: LiveSignal) => void)[] = []
  return {
    add: (listener) => void listeners.push(listener),
    tell(signal) {
      for (const listener of listeners) listener(signal)
    },
  }
}
