import { LRUCache } from 'lru-cache'

/** Whether there is such a time zone: an IANA name, or `UTC`. */
export function isTimeZone(name: string): boolean {
  // `+02:00` is one too for Intl, but stays the same through summer and winter, which nobody means.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export type LocalTime = {
  /** `2026-11-21` */
  date: string
  /** Of the day, 0 to 1439. */
  minute: number
  /** 0 is Sunday. */
  weekday: number
}

/** There are fewer zones, but each may be written in thousands of mixtures of upper and lower case. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1000 })

/** What a clock on the wall shows there. */
export function localTime(timeZone: string, now: Date): LocalTime {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(timeZone, format)
  }
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const date = `${part.year}-${part.month}-${part.day}`
  return { date, minute: Number(part.hour) * 60 + Number(part.minute), weekday: new Date(`${date}T00:00:00Z`).getUTCDay() }
}

/** The moment at which a clock on the wall there shows a minute of a day, in milliseconds; day and minute may run over. */
export function momentOf(timeZone: string, date: string, minute: number): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + minute * 60_000
  // The offsets of the day before and of the day after: two where the clocks change in between.
  const offsets = [...new Set([offsetAt(timeZone, wall - 86_400_000), offsetAt(timeZone, wall + 86_400_000)])]
  const moments = offsets.map((offset) => wall - offset).sort((a, b) => a - b)
  // Where the clocks are set back, a time comes twice: the first is meant.
  const shown = moments.find((moment) => moment + offsetAt(timeZone, moment) === wall)
  return shown ?? skippedBetween(timeZone, moments[0] as number, moments.at(-1) as number)
}

/** Milliseconds by which a clock there is ahead of UTC. */
function offsetAt(timeZone: string, moment: number): number {
  const { date, minute } = localTime(timeZone, new Date(moment))
  return Date.parse(`${date}T00:00:00Z`) + minute * 60_000 - Math.floor(moment / 60_000) * 60_000
}

/** Where the clocks are set forward, a time between does not come: the moment of the change stands for it. */
function skippedBetween(timeZone: string, from: number, to: number): number {
  const before = offsetAt(timeZone, from)
  let low = from
  let high = to
  while (high - low > 60_000) {
    const middle = low + Math.floor((high - low) / 120_000) * 60_000
    if (offsetAt(timeZone, middle) === before) low = middle
    else high = middle
  }
  return high
}
