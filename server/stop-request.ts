/** One wish to stop may arrive twice: from a terminal to every process of the group, and again from the process above us. */
const sameWishMs = 1000

/**
 * Calls `first` when this process is asked to stop: by a signal, or by the end of the script that runs it.
 * Asked once more, later, by somebody who lost patience: calls `again`.
 */
export function onStopRequest(handlers: { first(reason: string): void; again(): void }): void {
  let firstAt: number | undefined
  const ask = (reason: string) => {
    if (firstAt === undefined) {
      firstAt = Date.now()
      handlers.first(reason)
    } else if (Date.now() - firstAt > sameWishMs) handlers.again()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal))
  if (process.connected) {
    process.once('disconnect', () => ask('the script that runs us has ended'))
    // Listening alone must not keep the process alive.
    process.channel?.unref()
  }
}
