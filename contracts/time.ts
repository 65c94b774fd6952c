import type { CalendarDate } from './age.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** 0 is Monday, as in `WeeklyHours`. */
export const weekdayOf = (date: CalendarDate): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7

/** The day that expiration dates of licenses are compared with. A license is valid until its last day has ended in every US time zone. */
export const licenseDay = (now: Date): string => new Date(now.getTime() - 12 * hourMs).toISOString().slice(0, 10)
