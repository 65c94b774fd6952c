/**
 * Adds months in UTC, on the same day or the given one. If the month is too short, uses its last day: January 31 → February 28.
 */
export function addMonths(from: Date, months: number, dayOfMonth = from.getUTCDate()): Date {
  const firstOfMonth = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate()
  const timeOfDay = from.getTime() % 86_400_000
  return new Date(firstOfMonth + (Math.min(dayOfMonth, lastDay) - 1) * 86_400_000 + timeOfDay)
}
