/** One stop request may arrive twice: from the terminal to the whole process group, and again from the parent process. */
const sameWishMs = 1000

/**
 * Calls `first` when this process is asked to stop, by a signal or by the end of the parent script. Calls `again` if it is asked once
 * more, later.
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
    // The listener alone must not keep the process alive.
    process.channel?.unref()
  }
}
