/** So many months later, in UTC; a day that the month lacks becomes its last: January 31 → February 28. */
export function addMonths(from: Date, months: number): Date {
  const firstOfMonth = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate()
  const timeOfDay = from.getTime() % 86_400_000
  return new Date(firstOfMonth + (Math.min(from.getUTCDate(), lastDay) - 1) * 86_400_000 + timeOfDay)
}
