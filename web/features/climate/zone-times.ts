/** Milliseconds by which a zone's clocks are ahead of UTC at a moment. Transitions lie on quarters of an hour: one look a quarter is enough. */
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

export type ZonedTimes = {
  /** In the order of the times that were given, in milliseconds since 1970. */
  utc: number[]
  /** Times that no clock of the zone showed, as it was set forward over them: taken as if it had not been set. */
  skipped: number
  /** Times that the clock showed twice, as it was set back: which of the two follows from the order of the readings. */
  repeated: number
}

/**
 * Moments of wall-clock times, as a logger without a zone writes them: in the order of the file, oldest or newest first. In the hour that
 * comes twice a reading is taken for the next one after that before it, which is right while readings are no further apart than clocks are
 * set back: an hour nearly everywhere.
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
    // The larger offset is the earlier moment.
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
