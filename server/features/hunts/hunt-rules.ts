import { invalidField } from '#server/kernel/errors.ts'

/** The date in UTC. */
export const today = (now: Date): string => now.toISOString().slice(0, 10)

/** Today in the easternmost time zone (UTC+14). */
const lastDay = (now: Date): string => today(new Date(now.getTime() + 14 * 3_600_000))

/** Whether a day has begun in any time zone. */
export const hasBegun = (day: string, now: Date): boolean => day <= lastDay(now)

/** Requires a day that has begun in some time zone. @throws AppError invalid_input */
export function requireDayPassed(field: string, day: string, now: Date): void {
  if (!hasBegun(day, now)) throw invalidField(field, 'This day is in the future')
}
