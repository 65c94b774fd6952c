import { createListeners } from '#server/adapters/live/index.ts'
import type { LiveBus, LiveSignal } from '#server/kernel/live.ts'

export type MemoryLiveBus = LiveBus & {
  /** Oldest first. */
  readonly published: readonly LiveSignal[]
}

/** Delivers signals immediately, within this process. */
export function createMemoryLiveBus(): MemoryLiveBus {
  const listeners = createListeners()
  const published: LiveSignal[] = []
  return {
    published,
    onSignal: listeners.add,
    async publish(signal) {
      published.push(signal)
      listeners.emit(signal)
    },
    async start() {},
    async stop() {},
  }
}
