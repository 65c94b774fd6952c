import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { InsightStep, Insights, Metric, VisitSource } from '#contracts/insights.endpoints.ts'
import { smallestGroup } from '#contracts/limits.ts'
import { dateFormat, formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/cx.ts'
import type { InsightRange } from './dashboard-search.ts'

/** Null means too small to show. */
export type Figure = number | null

export const figureText = (figure: Figure): string => (figure === null ? `Fewer than ${smallestGroup}` : formatNumber(figure))
export const shortFigure = (figure: Figure): string => (figure === null ? `<${smallestGroup}` : formatNumber(figure))

export type Change = { direction: 'up' | 'down' | 'same'; text: string; spoken: string }

/** Relative to the previous period. Null without a figure to compare with. */
export function changeOf(value: Figure, before: Figure): Change | null {
  if (value === null || before === null) return null
  if (value === before) return { direction: 'same', text: 'No change', spoken: 'no change from the previous period' }
  if (before === 0) return null
  const percent = Math.round(((value - before) / before) * 100)
  const direction = value > before ? 'up' : 'down'
  const text = `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${formatNumber(Math.abs(percent))}%`
  return { direction, text, spoken: `${Math.abs(percent)}% ${direction === 'up' ? 'more' : 'less'} than the previous period` }
}

/** The change as a number of people instead of a percentage. */
export function differenceOf(now: Figure, before: Figure): Change | null {
  if (now === null || before === null) return null
  const difference = now - before
  if (difference === 0) return { direction: 'same', text: 'No change', spoken: 'no change in this period' }
  const direction = difference > 0 ? 'up' : 'down'
  const count = formatNumber(Math.abs(difference))
  return {
    direction,
    text: `${difference > 0 ? '+' : '−'}${count}`,
    spoken: `${count} ${difference > 0 ? 'more' : 'fewer'} than at the start of this period`,
  }
}

/** A rate instead of a percentage, because one view can lead to several calls, and people can follow without viewing the page. */
export function ratePerHundred(value: number, views: number): string {
  const rate = (value / views) * 100
  return `${rate > 0 && rate < 0.1 ? 'under 0.1' : formatNumber(Number(rate.toFixed(rate < 10 ? 1 : 0)))} per 100`
}

export const metricNames: Record<Metric, string> = {
  page: 'Page views',
  call: 'Calls',
  directions: 'Directions',
  site: 'Website clicks',
  product: 'Product views',
  post: 'Post views',
  follow: 'New followers',
  save: 'New favorites',
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
  weekday: format({ weekday: 'short', month: 'short', day: 'numeric' }),
  day: format({ month: 'short', day: 'numeric' }),
  dayOfYear: format({ year: 'numeric', month: 'short', day: 'numeric' }),
  month: format({ month: 'short' }),
  monthOfYear: format({ month: 'short', year: 'numeric' }),
  longMonth: format({ month: 'long', year: 'numeric' }),
}
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)

type Period = Pick<Insights, 'from' | 'to' | 'by'>

const isInOneYear = ({ from, to }: Period) => from.slice(0, 4) === to.slice(0, 4)

export function shortStep(step: string, period: Period): string {
  const months = isInOneYear(period) ? formats.month : formats.monthOfYear
  return (period.by === 'month' ? months : formats.day).format(dateOf(step))
}

/** The days of a step that the period includes. */
function daysOf(step: string, { from, to, by }: Period): { first: string; last: string; isWhole: boolean } {
  const end = dateOf(step)
  if (by === 'month') end.setUTCMonth(end.getUTCMonth() + 1, 0)
  else if (by === 'week') end.setUTCDate(end.getUTCDate() + 6)
  const stepEnd = end.toISOString().slice(0, 10)
  return { first: step < from ? from : step, last: stepEnd > to ? to : stepEnd, isWhole: step >= from && stepEnd <= to }
}

/** Names whole weeks and months. Partial ones are shown as a range of days. */
export function stepText(step: string, period: Period): string {
  const { first, last, isWhole } = daysOf(step, period)
  if (!isWhole) return periodText(first, last)
  if (period.by === 'week') return `Week of ${(isInOneYear(period) ? formats.day : formats.dayOfYear).format(dateOf(step))}`
  return (period.by === 'month' ? formats.longMonth : formats.weekday).format(dateOf(step))
}

/** "Oct 25 – Nov 21". */
export const periodText = (from: string, to: string): string => formats.day.formatRange(dateOf(from), dateOf(to))

export const ranges: Record<InsightRange, { label: string; days: number; steps: readonly InsightStep[] }> = {
  '7d': { label: '7 days', days: 7, steps: ['day'] },
  '28d': { label: '28 days', days: 28, steps: ['day', 'week'] },
  '90d': { label: '90 days', days: 90, steps: ['day', 'week', 'month'] },
  '12m': { label: '12 months', days: 365, steps: ['week', 'month'] },
}

export const usualRange: InsightRange = '28d'

/** Each range allows only steps whose columns are legible. Falls back to the range's first step. */
export function stepOf(range: InsightRange, wanted: InsightStep | undefined): InsightStep {
  const { steps } = ranges[range]
  return wanted && steps.includes(wanted) ? wanted : (steps[0] as InsightStep)
}

/** Returns at least two round values, from 0 to at least `highest`. */
export function ticksFor(highest: number): number[] {
  const step = Math.max(1, niceStep(highest / 4))
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}

/** Rounds up to 1, 2, 5, 10, 20, 50 … */
function niceStep(rough: number): number {
  if (rough <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power
}

/** Returns at most `max` evenly spaced indexes, always including the last. */
export function labeled(count: number, max: number): number[] {
  if (count <= 0) return []
  const every = Math.max(1, Math.ceil(count / max))
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => count - 1 - i * every).reverse()
}

type SeriesPlotProps = { name: string; period: Period; steps: readonly string[]; values: readonly Figure[] }

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
}

/** The readout above the columns follows the pointer or the arrow keys. People can show the same data as a table instead. */
export function SeriesPlot({ name, period, steps, values }: SeriesPlotProps) {
  const last = steps.length - 1
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? last, last)
  const ticks = ticksFor(Math.max(0, ...values.map((value) => value ?? 0)))
  const highest = ticks.at(-1) as number
  const words = (step: number) => `${stepText(steps[step] as string, period)}: ${figureText(values[step] ?? null)}`

  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(last, move(at, last))))
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setChosen(Math.max(0, Math.min(last, Math.floor(((event.clientX - left) / width) * steps.length))))
  }
  return (
    <div>
      <p aria-hidden="true" className="flex min-h-6 items-baseline gap-2 text-sm">
        <span className="font-semibold tabular-nums">{figureText(values[at] ?? null)}</span>
        <span className="text-muted">{stepText(steps[at] as string, period)}</span>
      </p>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${name} by ${period.by}`}
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at}
          aria-valuetext={words(at)}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerDown={onPointerMove}
          onPointerLeave={() => setChosen(null)}
          className="relative h-48 touch-pan-y rounded-tag focus-visible:outline-offset-4 sm:h-72"
        >
          {ticks.map((tick) => (
            <span
              key={tick}
              className={cx('absolute inset-x-0 border-t', tick === 0 ? 'border-edge' : 'border-line border-dashed')}
              style={{ bottom: `${(tick / highest) * 100}%` }}
            />
          ))}
          <div className="absolute inset-0 flex items-end">
            {steps.map((step, i) => (
              <Column
                key={step}
                value={values[i] ?? null}
                highest={highest}
                isChosen={i === at && chosen !== null}
                isWhole={daysOf(step, period).isWhole}
              />
            ))}
          </div>
        </div>
        <div aria-hidden="true" className="relative min-w-7 text-right text-muted text-xs tabular-nums">
          <span className="invisible">{formatNumber(highest)}</span>
          {ticks.map((tick) => (
            <span key={tick} className="absolute right-0 translate-y-1/2" style={{ bottom: `${(tick / highest) * 100}%` }}>
              {formatNumber(tick)}
            </span>
          ))}
        </div>
        <Labels steps={steps} period={period} />
      </div>
    </div>
  )
}

/** Shows a thin dashed line at the bottom if the count is too small to show. A partial step is paler. */
function Column({ value, highest, isChosen, isWhole }: { value: Figure; highest: number; isChosen: boolean; isWhole: boolean }) {
  return (
    <span className={cx('flex h-full min-w-0 flex-1 items-end justify-center', isChosen && 'bg-leaf-soft/70')}>
      <span
        className={cx(
          'block w-4/5 max-w-12 rounded-t-[3px] transition-colors',
          value === null
            ? 'h-1.5 border border-edge border-b-0 border-dashed'
            : isChosen
              ? 'bg-leaf-strong'
              : isWhole
                ? 'bg-leaf/85'
                : 'bg-leaf/45',
          value === 0 && 'bg-transparent',
        )}
        style={value === null ? undefined : { height: `${(value / highest) * 100}%` }}
      />
    </span>
  )
}

function Labels({ steps, period }: { steps: readonly string[]; period: Period }) {
  const few = new Set(labeled(steps.length, 3))
  const many = new Set(labeled(steps.length, 8))
  return (
    <div aria-hidden="true" className="relative mt-1.5 h-5 text-muted text-xs">
      {steps.map(
        (step, i) =>
          (few.has(i) || many.has(i)) && (
            <span
              key={step}
              className={cx(
                'absolute whitespace-nowrap',
                i === steps.length - 1 && steps.length > 1 ? 'right-0' : '-translate-x-1/2',
                few.has(i) && many.has(i) ? '' : few.has(i) ? 'sm:hidden' : 'max-sm:hidden',
              )}
              style={i === steps.length - 1 && steps.length > 1 ? undefined : { left: `${((i + 0.5) / steps.length) * 100}%` }}
            >
              {shortStep(step, period)}
            </span>
          ),
      )}
    </div>
  )
}
