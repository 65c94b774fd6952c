import fs from 'node:fs'
import { flushCompileCache } from 'node:module'

/**
 * Preloaded into a server (`node --import`): its `Date` is ahead of the machine's by the milliseconds in CLOCK_FILE. Doesn't affect
 * timers or PostgreSQL's own clock.
 */

const file = process.env.CLOCK_FILE
const RealDate = Date
/** Reading the file at every `Date.now()` would slow the process down. */
const rereadMs = 20
let ahead = 0
let readAt = Number.NEGATIVE_INFINITY

function now(): number {
  const time = RealDate.now()
  if (file && time - readAt >= rereadMs) {
    readAt = time
    try {
      ahead = Number(fs.readFileSync(file, 'utf8'))
    } catch {
      // The file doesn't exist until the clock moves for the first time.
    }
  }
  return time + ahead
}

globalThis.Date = new Proxy(RealDate, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  apply: () => new RealDate(now()).toString(),
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
})

// This process will be killed, which would lose the compile cache for the next process.
setInterval(flushCompileCache, 1000).unref()
