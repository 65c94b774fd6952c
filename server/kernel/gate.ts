import { AppError } from './errors.ts'

export type Gate = <Answer>(work: () => Promise<Answer>) => Promise<Answer>

/**
 * Lets so many at once do what takes much memory; the others wait their turn, and no more of them than that.
 * @throws AppError unavailable where too many wait, and what the work throws
 */
export function createGate({ most, mostWaiting }: { most: number; mostWaiting: number }): Gate {
  let inside = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (inside < most) inside++
    else {
      if (waiting.length >= mostWaiting) throw new AppError('unavailable', { retryAfterSeconds: 5 })
      // Whoever leaves hands over the place, so that nobody who comes just then takes it.
      await new Promise<void>((enter) => waiting.push(enter))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
}
