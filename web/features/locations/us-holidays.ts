export type Holiday = { day: string; name: string }

const iso = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
const weekdayOf = (year: number, month: number, day: number): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay()

/** The day of the month of its `nth` weekday; 0 is Sunday. */
const nth = (year: number, month: number, weekday: number, count: number): number =>
  1 + ((weekday - weekdayOf(year, month, 1) + 7) % 7) + (count - 1) * 7

function lastMonday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return last - ((weekdayOf(year, month, last) + 6) % 7)
}

/** The federal holidays of the United States on their own days (5 U.S.C. 6103(a)), without the days off in place of a weekend. */
export const federalHolidays = (year: number): Holiday[] => [
  { day: iso(year, 1, 1), name: 'New Year’s Day' },
  { day: iso(year, 1, nth(year, 1, 1, 3)), name: 'Martin Luther King Jr. Day' },
  { day: iso(year, 2, nth(year, 2, 1, 3)), name: 'Presidents’ Day' },
  { day: iso(year, 5, lastMonday(year, 5)), name: 'Memorial Day' },
  { day: iso(year, 6, 19), name: 'Juneteenth' },
  { day: iso(year, 7, 4), name: 'Independence Day' },
  { day: iso(year, 9, nth(year, 9, 1, 1)), name: 'Labor Day' },
  { day: iso(year, 10, nth(year, 10, 1, 2)), name: 'Columbus Day' },
  { day: iso(year, 11, 11), name: 'Veterans Day' },
  { day: iso(year, 11, nth(year, 11, 4, 4)), name: 'Thanksgiving' },
  { day: iso(year, 12, 25), name: 'Christmas Day' },
]

/** The next ones from a day on, as many as there are in a year. */
export function comingHolidays(today: string): Holiday[] {
  const year = Number(today.slice(0, 4))
  return [...federalHolidays(year), ...federalHolidays(year + 1)].filter(({ day }) => day >= today).slice(0, 11)
}
