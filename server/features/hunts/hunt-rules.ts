import { invalidField } from '../../kernel/errors.ts'

/** The calendar day in UTC. */
export const today = (now: Date): string => now.toISOString().slice(0, 10)

/** The last day that has begun anywhere: where it is tomorrow already, tomorrow is today. */
const lastDay = (now: Date): string => today(new Date(now.getTime() + 14 * 3_600_000))

/** Whether a day has begun, wherever that may be. */
export const hasBegun = (day: string, now: Date): boolean => day <= lastDay(now)

/** Of something that has happened, wherever that was. @throws AppError invalid_input */
export function requireDayPassed(field: string, day: string, now: Date): void {
  if (!hasBegun(day, now)) throw invalidField(field, 'This day is still to come')
}
