import fs from 'node:fs'
import { flushCompileCache } from 'node:module'

/**
 * Loaded before a server (`node --import`): its `Date` runs ahead of the machine's by as many milliseconds as stand in CLOCK_FILE.
 * Timers, and PostgreSQL's own clock, are not moved.
 */

const file = process.env.CLOCK_FILE
const RealDate = Date
/** The file is read again after so long. */
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
      // Nobody has moved it yet.
    }
  }
  return time + ahead
}

globalThis.Date = new Proxy(RealDate, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  apply: () => new RealDate(now()).toString(),
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
})

// It will be killed, and would leave the next one nothing of what it compiled.
setInterval(flushCompileCache, 1000).unref()
