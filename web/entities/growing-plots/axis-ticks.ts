const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const steps = [hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 56 * day]

/** Round times in a range, at most `max`, in the room's time zone. */
export function timeTicks(from: number, to: number, max: number, timeZone?: string | undefined): { ticks: number[]; step: number } {
  const step = steps.find((each) => (to - from) / each <= max) ?? Math.ceil((to - from) / max / day) * day
  const ticks: number[] = []
  // In wall-clock time treated as UTC, round times are multiples of the step.
  const start = Math.ceil((from + offsetAt(from, timeZone)) / step) * step
  for (let wall = start; ; wall += step) {
    const at = fromWall(wall, timeZone)
    if (at > to) return { ticks, step }
    if (at >= from && at !== ticks.at(-1)) ticks.push(at)
  }
}

/** Month and day, or the hour for steps shorter than a day. */
export const tickOptions = (step: number): Omit<Intl.DateTimeFormatOptions, 'timeZone'> =>
  step >= day ? { month: 'short', day: 'numeric' } : { hour: 'numeric', ...(step < hour && { minute: '2-digit' }) }

function fromWall(wall: number, timeZone: string | undefined): number {
  const guess = wall - offsetAt(wall, timeZone)
  // Repeat with the offset at the guess, since it may have changed in between.
  return wall - offsetAt(guess, timeZone)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** UTC offset in milliseconds. */
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

/** Rounds a range outward and returns a round step that divides it into about `parts` parts. */
export function roundRange(low: number, high: number, parts: number): { min: number; max: number; interval: number } {
  const interval = roundStep((high - low || Math.abs(high) || 1) / parts)
  const at = (steps: number) => Number((steps * interval).toPrecision(12))
  const min = at(Math.floor(low / interval))
  const max = at(Math.ceil(high / interval))
  return { min, max: max > min ? max : at(Math.ceil(high / interval) + 1), interval }
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  return Number((([1, 2, 2.5, 5].find((each) => each * power >= step * 0.999) ?? 10) * power).toPrecision(12))
}
