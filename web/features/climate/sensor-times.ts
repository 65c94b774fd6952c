export type DateOrder = 'ymd' | 'mdy' | 'dmy'

/** A time as it is written: with a zone of its own (`utc`), or as a clock showed it (`local`, as if it were UTC). In milliseconds. */
export type WrittenTime = { utc: number } | { local: number }

/** Any kind of space: some apps set a narrow one before AM and PM. */
const space = /[\s\u00a0\u202f]+/g
const dated =
  /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:,? |T|,)?(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)? ?([ap]\.?m\.?)? ?(z|utc|gmt|[+-]\d{2}:?\d{2})?$/i
const epoch = /^\d{10}(?:\d{3})?(?:\.\d+)?$/

/** In which order day, month and year stand, as far as the times themselves say so; null where they can be read both ways. */
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

/** Whether the times are dates whose order of day and month has to be known. */
export const hasDates = (texts: Iterable<string>): boolean => {
  for (const text of texts) if (dated.test(text.replace(space, ' ').trim())) return true
  return false
}

/** Null where it is no time. */
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
  // February 30 and the 13th month are no days.
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
