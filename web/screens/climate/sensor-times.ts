export type DateOrder = 'ymd' | 'mdy' | 'dmy'

/** A parsed time: with an offset (`utc`) or without (`local`, wall-clock time as if it were UTC). In milliseconds. */
export type WrittenTime = { utc: number } | { local: number }

/** Any kind of space: some apps write a narrow one before AM and PM. */
const space = /[\s\u00a0\u202f]+/g
const dated =
  /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:,? |T|,)?(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)? ?([ap]\.?m\.?)? ?(z|utc|gmt|[+-]\d{2}:?\d{2})?$/i
const epoch = /^\d{10}(?:\d{3})?(?:\.\d+)?$/

/** Order of day, month and year, as far as the times reveal it; null if ambiguous. */
export function orderOf(texts: Iterable<string>): DateOrder | null {
  let order: DateOrder | null = null
  for (const text of texts) {
    const [, first = '', second = ''] = dated.exec(text.replace(space, ' ').trim()) ?? []
    if (first.length === 4) return 'ymd'
    if (Number(first) > 12) order = 'dmy'
    if (Number(second) > 12) order = 'mdy'
    if (order) return order
  }
  return order
}

export const hasDates = (texts: Iterable<string>): boolean => {
  for (const text of texts) if (dated.test(text.replace(space, ' ').trim())) return true
  return false
}

/** Null if it isn't a time. */
export function readTime(text: string, order: DateOrder): WrittenTime | null {
  const plain = text.replace(space, ' ').trim()
  if (epoch.test(plain)) return { utc: Math.round(Number(plain) * (/^\d{13}/.test(plain) ? 1 : 1000)) }
  const parts = dated.exec(plain)
  if (!parts) return null
  const [, a = '', b = '', c = '', hours = '0', minutes = '0', seconds = '0', half, zone] = parts
  const [years, month, day] = a.length === 4 ? [a, b, c] : order === 'mdy' ? [c, a, b] : order === 'dmy' ? [c, b, a] : [a, b, c]
  const year = Number(years) + (years?.length === 2 ? 2000 : 0)
  const hour = hourOf(Number(hours), half)
  if (hour === null || Number(minutes) > 59 || Number(seconds) > 59 || years?.length === 3) return null
  const local = Date.UTC(year, Number(month) - 1, Number(day), hour, Number(minutes), Number(seconds))
  const made = new Date(local)
  // Rejects dates such as February 30 or month 13.
  if (made.getUTCMonth() !== Number(month) - 1 || made.getUTCDate() !== Number(day) || year < 1970 || year > 2099) return null
  if (zone === undefined) return { local }
  return { utc: local - offsetOf(zone) }
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0)
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Returns a zone's UTC offset in milliseconds. Transitions fall on quarter hours, so it is cached per quarter hour. */
function offsetsOf(timeZone: string): (utc: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const known = new Map<number, number>()
  return (utc) => {
    const quarter = Math.floor(utc / quarterHour)
    let offset = known.get(quarter)
    if (offset === undefined) {
      const parts: Record<string, number> = {}
      for (const { type, value } of format.formatToParts(quarter * quarterHour)) if (type !== 'literal') parts[type] = Number(value)
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
      offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * quarterHour
      known.set(quarter, offset)
    }
    return offset
  }
}

const quarterHour = 15 * 60_000
const day = 24 * 60 * 60_000

export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

type ZonedTimes = {
  /** In input order, in milliseconds since 1970. */
  utc: number[]
  /** Number of times skipped when clocks went forward; read with the offset from before. */
  skipped: number
  /** Number of times repeated when clocks went back; resolved by the order of the readings. */
  repeated: number
}

/**
 * Converts wall-clock times from a logger without a zone to UTC. Times are in file order, oldest or newest first. In a repeated hour,
 * picks the candidate that continues the sequence, which is correct if readings are no further apart than the clock change (one hour
 * almost everywhere).
 * @param local wall-clock times as if they were UTC, in milliseconds
 */
export function toUtc(local: readonly number[], timeZone: string): ZonedTimes {
  const offsetAt = offsetsOf(timeZone)
  const isNewestFirst = local.length > 1 && (local[0] as number) > (local.at(-1) as number)
  let skipped = 0
  let repeated = 0
  let before = Number.NaN
  const utc = local.map((time) => {
    const early = offsetAt(time - day)
    const late = offsetAt(time + day)
    // The larger offset gives the earlier moment.
    const offsets = early === late ? [early] : [Math.max(early, late), Math.min(early, late)]
    const fitting = offsets.map((offset) => time - offset).filter((moment, nth) => offsetAt(moment) === offsets[nth])
    const [first, second] = fitting
    let moment: number
    if (first === undefined) {
      skipped++
      moment = time - early
    } else if (second === undefined) moment = first
    else {
      repeated++
      if (isNewestFirst) moment = Number.isNaN(before) || second < before ? second : first
      else moment = Number.isNaN(before) || first > before ? first : second
    }
    before = moment
    return moment
  })
  return { utc, skipped, repeated }
}
