const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const steps = [hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 56 * day]

/** Round times from one moment to another, at most `most` of them, by the clock on the wall of the room. */
export function timeTicks(from: number, to: number, most: number, timeZone?: string | undefined): { ticks: number[]; step: number } {
  const step = steps.find((each) => (to - from) / each <= most) ?? Math.ceil((to - from) / most / day) * day
  const ticks: number[] = []
  // In the room's own time, taken as if it were UTC, round times are multiples of the step.
  const start = Math.ceil((from + offsetAt(from, timeZone)) / step) * step
  for (let wall = start; ; wall += step) {
    const at = fromWall(wall, timeZone)
    if (at > to) return { ticks, step }
    if (at >= from && at !== ticks.at(-1)) ticks.push(at)
  }
}

/** A day and its month, or the hour where days are too far apart. */
export const tickOptions = (step: number): Omit<Intl.DateTimeFormatOptions, 'timeZone'> =>
  step >= day ? { month: 'short', day: 'numeric' } : { hour: 'numeric', ...(step < hour && { minute: '2-digit' }) }

function fromWall(wall: number, timeZone: string | undefined): number {
  const guess = wall - offsetAt(wall, timeZone)
  // Once more with the offset that is valid there: it may have changed in between.
  return wall - offsetAt(guess, timeZone)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** How far the clock on the wall is ahead of UTC, in milliseconds. */
export function offsetAt(at: number, timeZone: string | undefined): number {
  if (!timeZone) return -new Date(at).getTimezoneOffset() * minute
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  clocks.set(timeZone, clock)
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const wall = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day ?? 1, part.hour ?? 0, part.minute ?? 0, part.second ?? 0)
  return wall - Math.floor(at / 1000) * 1000
}
