import { once } from 'node:events'
import fs from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/**
 * Preloaded by processes that parse files. Ends its process if it uses more than the megabytes in the first argument. Node limits only the
 * heap, which doesn't include the bytes that a file inflates to. Runs in a thread, because the main thread's timers don't fire while it
 * parses.
 */

const lookEveryMs = 10

if (isMainThread) {
  const thread = new Worker(new URL(import.meta.url), { workerData: Number(process.argv[2]), execArgv: [], env: {} })
  await once(thread, 'online')
  thread.unref()
} else {
  const maxBytes = workerData * 2 ** 20
  setInterval(() => {
    if (process.memoryUsage.rss() <= maxBytes) return
    try {
      fs.writeSync(2, 'out of memory\n')
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  }, lookEveryMs)
}
