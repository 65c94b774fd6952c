/** Freshness by age: under a day, under a week, older. */
export type Freshness = 'fresh' | 'aging' | 'stale'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "Confirmed 3 h ago"; after a week, a warning: "Not confirmed for 9 days". */
export function confirmedWords(at: Date, now: Date): { freshness: Freshness; words: string } {
  // Clocks differ slightly: a time in the future counts as now.
  const age = Math.max(0, now.getTime() - at.getTime())
  if (age < minute) return { freshness: 'fresh', words: 'Confirmed just now' }
  if (age < hour) return { freshness: 'fresh', words: `Confirmed ${Math.floor(age / minute)} min ago` }
  if (age < day) return { freshness: 'fresh', words: `Confirmed ${Math.floor(age / hour)} h ago` }
  const days = Math.floor(age / day)
  if (age <= 7 * day) return { freshness: 'aging', words: `Confirmed ${days} ${days === 1 ? 'day' : 'days'} ago` }
  if (days < 60) return { freshness: 'stale', words: `Not confirmed for ${days} days` }
  return { freshness: 'stale', words: `Not confirmed for ${Math.floor(days / 30)} months` }
}
