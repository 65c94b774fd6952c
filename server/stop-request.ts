/** One stop request may arrive twice: from the terminal to the whole process group, and again from the parent process. */
const duplicateRequestMs = 1000

/** Calls `first` when a signal or the end of the parent script asks this process to stop, and `again` on a later, distinct request. */
export function onStopRequest(handlers: { first(reason: string): void; again(): void }): void {
  let firstAt: number | undefined
  const requestStop = (reason: string) => {
    if (firstAt === undefined) {
      firstAt = Date.now()
      handlers.first(reason)
    } else if (Date.now() - firstAt > duplicateRequestMs) handlers.again()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => requestStop(signal))
  if (process.connected) {
    process.once('disconnect', () => requestStop('the script that runs us has ended'))
    // The listener alone must not keep the process alive.
    process.channel?.unref()
  }
}
