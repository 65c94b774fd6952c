import { localTime } from '../../kernel/time-zones.ts'

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
