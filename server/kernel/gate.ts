import { AppError } from './errors.ts'

export type Gate = {
  /** Runs the work when a slot is free. */
  <Answer>(work: () => Promise<Answer>): Promise<Answer>
  /** Waits for a slot and returns a function that releases it, which is safe to call more than once. */
  enter(): Promise<() => void>
}

type Limits = {
  maxConcurrent: number
  maxWaiting: number
  /** If unset, callers wait until a slot is free. */
  maxWaitMs?: number
}

/**
 * Limits the concurrency of memory-heavy work. Others wait in order.
 * @throws AppError unavailable if the queue is full or the wait too long, and anything the work throws
 */
export function createGate({ maxConcurrent, maxWaiting, maxWaitMs }: Limits): Gate {
  let inside = 0
  const waiting: (() => void)[] = []

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push(enter)
      if (maxWaitMs === undefined) return
      timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(new AppError('unavailable', { retryAfterSeconds: 5 }))
      }, maxWaitMs).unref()
    })

  const enter = async () => {
    if (inside < maxConcurrent) inside++
    else {
      if (waiting.length >= maxWaiting) throw new AppError('unavailable', { retryAfterSeconds: 5 })
      // A free slot goes to the next in line, not to a newcomer.
      await wait()
    }
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const next = waiting.shift()
      if (next) next()
      else inside--
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
