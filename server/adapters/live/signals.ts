import type { LiveSignal } from '#server/kernel/live.ts'

/** PostgreSQL's NOTIFY payload must be below 8,000 bytes; an ID with quotes and comma has 39. */
const maxIds = 180

/** Splits a signal into pieces that fit into one NOTIFY each. */
export function* inPieces(signal: LiveSignal): Generator<LiveSignal> {
  if (!('userIds' in signal)) return yield signal
  for (let from = 0; from < signal.userIds.length; from += maxIds) {
    yield { ...signal, userIds: signal.userIds.slice(from, from + maxIds) }
  }
}

/** Parses a received signal; null if it is unknown, such as one of a newer version during an update. */
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

export type Listeners = { add(listener: (signal: LiveSignal) => void): void; emit(signal: LiveSignal): void }

export function createListeners(): Listeners {
  const listeners: ((signal: LiveSignal) => void)[] = []
  return {
    add: (listener) => void listeners.push(listener),
    emit(signal) {
      for (const listener of listeners) listener(signal)
    },
  }
}
