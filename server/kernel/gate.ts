import type { FastifyReply } from 'fastify'
import { AppError } from './errors.ts'

export type Gate = {
  <Answer>(work: () => Promise<Answer>): Promise<Answer>
  /** Waits for a slot and returns a function to release it. Calling that function more than once is safe. */
  enter(caller?: string): Promise<() => void>
}

type Limits = {
  maxConcurrent: number
  maxWaiting: number
  /** If unset, callers wait until a slot is free. */
  maxWaitMs?: number
  /** Limits for each caller, so no caller delays the others. */
  perCaller?: { maxConcurrent: number; maxWaiting: number }
}

type Entry = { caller: string | undefined; admit(): void }

/**
 * Limits how much memory-heavy work runs at once. Calls beyond the limits wait in order.
 * @throws AppError unavailable if the queue is full or the wait too long, and anything the work throws
 */
export function createGate({ maxConcurrent, maxWaiting, maxWaitMs, perCaller }: Limits): Gate {
  const inside = new Set<Entry>()
  const waiting: Entry[] = []

  const countOf = (caller: string | undefined, entries: Iterable<Entry>) =>
    caller === undefined ? 0 : [...entries].filter((entry) => entry.caller === caller).length
  const hasRoom = (caller: string | undefined) =>
    inside.size < maxConcurrent && (!perCaller || countOf(caller, inside) < perCaller.maxConcurrent)
  const mayWait = (caller: string | undefined) =>
    waiting.length < maxWaiting && (!perCaller || countOf(caller, waiting) < perCaller.maxWaiting)

  const wait = (entry: Entry) =>
    new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      entry.admit = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push(entry)
      if (maxWaitMs === undefined) return
      timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(new AppError('unavailable', { retryAfterSeconds: 5 }))
      }, maxWaitMs).unref()
    })

  const enter = async (caller?: string) => {
    const entry: Entry = { caller, admit() {} }
    if (hasRoom(caller)) inside.add(entry)
    else {
      if (!mayWait(caller)) throw new AppError('unavailable', { retryAfterSeconds: 5 })
      await wait(entry)
    }
    return () => {
      if (!inside.delete(entry)) return
      // A free slot goes to the first waiting caller below its own limit, not to a newcomer.
      const next = waiting.find((each) => hasRoom(each.caller))
      if (!next) return
      waiting.splice(waiting.indexOf(next), 1)
      inside.add(next)
      next.admit()
    }
  }

  const run = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const leave = await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return Object.assign(run, { enter })
}

/** For bodies of several megabytes that a process receives at the same time. One slow sender delays no one else. */
export const bodyLimits = { maxConcurrent: 6, maxWaiting: 20, maxWaitMs: 10_000, perCaller: { maxConcurrent: 1, maxWaiting: 2 } }

/** Releases the slot no matter how the call ends, even if the connection is lost while the call waits. */
export async function enterUntilClosed(gate: Gate, { raw }: FastifyReply, caller?: string): Promise<void> {
  // If the connection was already lost, for instance while the session was checked, 'close' isn't emitted again.
  let isClosed = raw.destroyed
  let leave = () => {}
  raw.once('close', () => {
    isClosed = true
    leave()
  })
  leave = await gate.enter(caller)
  if (isClosed) leave()
}
