import { AppError } from './errors.ts'

export type Gate = {
  /** Runs the work inside the gate. */
  <Answer>(work: () => Promise<Answer>): Promise<Answer>
  /** Waits for a place; answers what gives it back, which may be called more than once. */
  enter(): Promise<() => void>
}

type Limits = {
  most: number
  mostWaiting: number
  /** Unset, a waiting one waits until a place is free. */
  maxWaitMs?: number
}

/**
 * Limits the concurrency of work that takes much memory. The others wait in order.
 * @throws AppError unavailable where too many wait or one has waited too long, and what the work throws
 */
export function createGate({ most, mostWaiting, maxWaitMs }: Limits): Gate {
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
    if (inside < most) inside++
    else {
      if (waiting.length >= mostWaiting) throw new AppError('unavailable', { retryAfterSeconds: 5 })
      // A place that becomes free goes to the next in line, not to a newcomer.
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
