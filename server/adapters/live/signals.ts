import type { LiveSignal } from '../../kernel/live.ts'

/** PostgreSQL takes less than 8000 bytes at a time; an id with its quotes and comma has 39. */
const mostIds = 180

/** The same in pieces that are small enough for one NOTIFY each. */
export function* inPieces(signal: LiveSignal): Generator<LiveSignal> {
  if (signal.kind !== 'notifications') return yield signal
  for (let from = 0; from < signal.userIds.length; from += mostIds) {
    yield { kind: 'notifications', userIds: signal.userIds.slice(from, from + mostIds) }
  }
}

/** What came over the wire, or null where it is none of ours (a newer version's, during an update). */
export function toSignal(value: unknown): LiveSignal | null {
  const { kind, userIds, postId } = (value ?? {}) as { kind?: unknown; userIds?: unknown; postId?: unknown }
  if (kind === 'notifications' && Array.isArray(userIds)) return { kind, userIds: userIds.filter((id) => typeof id === 'string') }
  if (kind === 'post' && typeof postId === 'string') return { kind, postId }
  return null
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
