import type { LiveBus, LiveSignal } from '../../kernel/live.ts'
import { createListeners } from './signals.ts'

export type MemoryLiveBus = LiveBus & {
  /** Everything that was published, oldest first. */
  readonly published: readonly LiveSignal[]
}

/** Signals within this process, at once: for tests. */
export function createMemoryLiveBus(): MemoryLiveBus {
  const listeners = createListeners()
  const published: LiveSignal[] = []
  return {
    published,
    onSignal: listeners.add,
    async publish(signal) {
      published.push(signal)
      listeners.tell(signal)
    },
    async start() {},
    async stop() {},
  }
}
