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

const formats = new Map<string, Intl.DateTimeFormat>()
/** There are fewer zones, but each may be written in thousands of mixtures of upper and lower case. */
const mostFormats = 1000

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
    if (formats.size >= mostFormats) formats.clear()
    formats.set(timeZone, format)
  }
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const date = `${part.year}-${part.month}-${part.day}`
  return { date, minute: Number(part.hour) * 60 + Number(part.minute), weekday: new Date(`${date}T00:00:00Z`).getUTCDay() }
}

export type QuietHours = { from: number; until: number }

/**
 * How many minutes are left until the quiet hours end, or 0 outside of them. They may span midnight; from and until the same minute
 * is all day.
 */
export function quietMinutesLeft(hours: QuietHours | null, timeZone: string, now: Date): number {
  if (!hours) return 0
  const { minute } = localTime(timeZone, now)
  const { from, until } = hours
  const isQuiet = from < until ? minute >= from && minute < until : minute >= from || minute < until
  return isQuiet ? (until - minute + 1440) % 1440 || 1440 : 0
}
