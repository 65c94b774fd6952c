import { type InsightStep, type Metric, smallestGroup, type VisitSource } from '../../../contracts/insights.ts'
import { dateFormat, numberFormat } from '../../lib/format.ts'

/** As the server sends it: null means some, but too few to be shown. */
export type Figure = number | null

const numbers = numberFormat({})

export const figureText = (figure: Figure): string => (figure === null ? `Fewer than ${smallestGroup}` : numbers.format(figure))
/** Where there is no room for words. */
export const shortFigure = (figure: Figure): string => (figure === null ? `<${smallestGroup}` : numbers.format(figure))

export type Change = { direction: 'up' | 'down' | 'same'; text: string; spoken: string }

/** Against the period before; null where there is nothing to compare with. */
export function changeOf(value: Figure, before: Figure): Change | null {
  if (value === null || before === null) return null
  if (value === before) return { direction: 'same', text: 'No change', spoken: 'no change against the period before' }
  if (before === 0) return null
  const percent = Math.round(((value - before) / before) * 100)
  const direction = value > before ? 'up' : 'down'
  const text = `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${numbers.format(Math.abs(percent))}%`
  return { direction, text, spoken: `${Math.abs(percent)}% ${direction === 'up' ? 'more' : 'less'} than in the period before` }
}

/** By how many: for what is counted in heads. */
export function differenceOf(now: Figure, before: Figure): Change | null {
  if (now === null || before === null) return null
  const difference = now - before
  if (difference === 0) return { direction: 'same', text: 'No change', spoken: 'no change in this period' }
  const direction = difference > 0 ? 'up' : 'down'
  const count = numbers.format(Math.abs(difference))
  return {
    direction,
    text: `${difference > 0 ? '+' : '−'}${count}`,
    spoken: `${count} ${difference > 0 ? 'more' : 'fewer'} than before this period`,
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
  embed: 'Menu on other sites',
  other: 'Straight to the page',
  rest: 'Too few to name',
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
