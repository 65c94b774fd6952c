import type { InsightStep, Metric, VisitSource } from '#contracts/insights.endpoints.ts'
import { smallestGroup } from '#contracts/limits.ts'
import { dateFormat, numberFormat } from '#web/lib/format.ts'
import type { InsightRange } from './dashboard-search.ts'

/** Null means nonzero but too small to show. */
export type Figure = number | null

const numbers = numberFormat({})

export const figureText = (figure: Figure): string => (figure === null ? `Fewer than ${smallestGroup}` : numbers.format(figure))
/** Short form, where space is limited. */
export const shortFigure = (figure: Figure): string => (figure === null ? `<${smallestGroup}` : numbers.format(figure))

export type Change = { direction: 'up' | 'down' | 'same'; text: string; spoken: string }

/** Relative change from the previous period; null if there is nothing to compare with. */
export function changeOf(value: Figure, before: Figure): Change | null {
  if (value === null || before === null) return null
  if (value === before) return { direction: 'same', text: 'No change', spoken: 'no change from the previous period' }
  if (before === 0) return null
  const percent = Math.round(((value - before) / before) * 100)
  const direction = value > before ? 'up' : 'down'
  const text = `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${numbers.format(Math.abs(percent))}%`
  return { direction, text, spoken: `${Math.abs(percent)}% ${direction === 'up' ? 'more' : 'less'} than the previous period` }
}

/** Absolute change, for counts of people. */
export function differenceOf(now: Figure, before: Figure): Change | null {
  if (now === null || before === null) return null
  const difference = now - before
  if (difference === 0) return { direction: 'same', text: 'No change', spoken: 'no change in this period' }
  const direction = difference > 0 ? 'up' : 'down'
  const count = numbers.format(Math.abs(difference))
  return {
    direction,
    text: `${difference > 0 ? '+' : '−'}${count}`,
    spoken: `${count} ${difference > 0 ? 'more' : 'fewer'} than at the start of this period`,
  }
}

export const metricNames: Record<Metric, string> = {
  page: 'Page views',
  call: 'Calls',
  directions: 'Directions',
  site: 'Website clicks',
  product: 'Product views',
  post: 'Post views',
  follow: 'New followers',
  save: 'New saves',
  subscribe: 'New subscribers',
}

export const sourceNames: Record<VisitSource | 'rest', string> = {
  search: 'Search and lists',
  map: 'Map',
  feed: 'Feed and posts',
  favorites: 'Favorites',
  share: 'Shared links',
  embed: 'Embedded menus',
  other: 'Direct visits',
  rest: 'Other',
}

const format = (options: Intl.DateTimeFormatOptions) => dateFormat({ ...options, timeZone: 'UTC' })
const formats = {
  short: {
    day: format({ month: 'short', day: 'numeric' }),
    week: format({ month: 'short', day: 'numeric' }),
    month: format({ month: 'short' }),
  },
  long: {
    day: format({ weekday: 'short', month: 'short', day: 'numeric' }),
    week: format({ month: 'short', day: 'numeric' }),
    month: format({ month: 'long', year: 'numeric' }),
  },
}
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)

export const shortStep = (step: string, by: InsightStep): string => formats.short[by].format(dateOf(step))
export const stepText = (step: string, by: InsightStep): string =>
  by === 'week' ? `Week of ${formats.long.week.format(dateOf(step))}` : formats.long[by].format(dateOf(step))

/** "Oct 25 – Nov 21". */
export const periodText = (from: string, to: string): string =>
  dateFormat({ timeZone: 'UTC', month: 'short', day: 'numeric' }).formatRange(dateOf(from), dateOf(to))

export const ranges: Record<InsightRange, { label: string; days: number; steps: readonly InsightStep[] }> = {
  '7d': { label: '7 days', days: 7, steps: ['day'] },
  '28d': { label: '28 days', days: 28, steps: ['day', 'week'] },
  '90d': { label: '90 days', days: 90, steps: ['day', 'week', 'month'] },
  '12m': { label: '12 months', days: 365, steps: ['week', 'month'] },
}

export const usualRange: InsightRange = '28d'

/** The requested step if the range supports it, which keeps the number of columns legible; otherwise the default. */
export function stepOf(range: InsightRange, wanted: InsightStep | undefined): InsightStep {
  const { steps } = ranges[range]
  return wanted && steps.includes(wanted) ? wanted : (steps[0] as InsightStep)
}

/** Round tick values from 0 to at least `highest`; at least two. */
export function ticksFor(highest: number): number[] {
  const step = Math.max(1, niceStep(highest / 4))
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function niceStep(rough: number): number {
  if (rough <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power
}

/** Indexes of labeled steps: evenly spaced, at most `max`, always including the last. */
export function labelled(count: number, max: number): number[] {
  if (count <= 0) return []
  const every = Math.max(1, Math.ceil(count / max))
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => count - 1 - i * every).reverse()
}
