import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Table2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import type { Insights, Metric } from '#contracts/insights.endpoints.ts'
import { OpenCorrections } from '#web/entities/corrections/open-corrections.tsx'
import { zoneName } from '#web/lib/time-zones.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import {
  changeOf,
  differenceOf,
  type Figure,
  figureText,
  metricNames,
  periodText,
  ranges,
  SeriesPlot,
  shortFigure,
  sourceNames,
  stepOf,
  stepText,
  usualRange,
} from './figures.tsx'
import { FigureChange, FunnelCard, insightsOptions, NextStepsCard, PeriodBar, RankedCard, TasteCard } from './overview-cards.tsx'

export function OverviewTab({ business }: { business: MyBusiness }) {
  const { range = usualRange, by: wanted } = useSearch({ from: '/business-dashboard' })
  const by = stepOf(range, wanted)
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(insightsOptions(business.id, { days: ranges[range].days, by }))
  if (!data) {
    if (!error) return <OverviewSkeleton />
    return (
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <LoadError title="The figures couldn’t be loaded" query={{ error, refetch, isFetching }} />
        <NextStepsCard business={business} />
      </div>
    )
  }
  const { insights, taste } = data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <OpenCorrections
        business={{ id: business.id, isClaimed: true }}
        hint="Members think your page is out of date. You decide what to change."
      />
      {insights && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-muted text-sm">
            {periodText(insights.from, insights.to)}, vs. previous {ranges[range].label}. Today is shown separately.
          </p>
          <PeriodBar business={business} range={range} by={by} />
        </div>
      )}
      <div
        className={cx('grid items-start gap-4 transition-opacity lg:grid-cols-[minmax(0,1fr)_21rem]', isPlaceholderData && 'opacity-60')}
      >
        {insights ? <FiguresCard insights={insights} /> : <TasteCard business={business} pageViews={taste.pageViews} />}
        {/* When stacked, put free next steps before the paid plan. */}
        <div className={cx('grid gap-4', insights ? 'sm:max-lg:grid-cols-2' : 'max-lg:order-first')}>
          <NextStepsCard business={business} />
          {insights && <AudienceCard audience={insights.audience} />}
        </div>
      </div>
      {insights && (
        <div className={cx('grid gap-4 transition-opacity md:grid-cols-2', isPlaceholderData && 'opacity-60')}>
          <Details insights={insights} business={business} />
        </div>
      )}
      {insights && <HowItIsCounted insights={insights} />}
    </div>
  )
}

function Details({ insights: { funnel, sources, products, posts }, business }: { insights: Insights; business: MyBusiness }) {
  const search = { business: business.slug }
  return (
    <>
      <FunnelCard funnel={funnel} />
      <RankedCard
        title="Where visitors come from"
        of="views"
        rows={sources
          .map(({ source, views }) => ({ key: source, name: sourceNames[source], views, isRest: source === 'rest' }))
          .sort((a, b) => Number(a.isRest) - Number(b.isRest))}
        empty="Available once at least 60 people have visited. Posts, menus and shared links bring visitors."
      />
      <RankedCard
        title="Top products"
        of="views"
        rows={products.map(({ id, name, views }) => ({ key: id, name, views }))}
        empty={
          <>
            Available once at least 60 people have viewed products.{' '}
            <Link to="/business-dashboard/menu" search={search} className={textLink}>
              Edit menu
            </Link>
          </>
        }
      />
      <RankedCard
        title="Top posts"
        of="views"
        rows={posts.map(({ id, name, views }) => ({
          key: id,
          name: (
            <Link to="/post/$id" params={{ id }} className="touch-target rounded-tag hover:underline hover:underline-offset-4">
              {name}
            </Link>
          ),
          views,
        }))}
        empty={
          <>
            Available once at least 60 people have seen your posts.{' '}
            <Link to="/business-dashboard" search={{ ...search, tab: 'social' }} className={textLink}>
              Write a post
            </Link>
          </>
        }
      />
    </>
  )
}

function HowItIsCounted({ insights: { countedAt, timeZone } }: { insights: Insights }) {
  return (
    <details className="rounded-card border border-line px-4 py-3 text-sm sm:px-5">
      <summary className="cursor-pointer text-muted">
        {countedAt ? (
          <>
            Counted <Ago at={countedAt} />, by day in {zoneName(timeZone)}. How we count
          </>
        ) : (
          'The first figures appear within minutes. How we count'
        )}
      </summary>
      <ul className="mt-3 grid max-w-text list-disc gap-1.5 pl-5 text-muted">
        <li>We leave out your team’s visits, bots and pages that browsers preload. Repeat visits within half an hour count once.</li>
        <li>
          We never show individuals. Figures for fewer than five people aren’t shown on their own. Quiet days are combined with the days
          after them, and sources, products and posts with few visitors appear under “{sourceNames.rest}” or not at all.
        </li>
        <li>Totals, charts and comparisons cover whole days, up to yesterday. Today’s figures increase in steps of five.</li>
        <li>We never store who visits. We recognize a visitor for one day by a number that can’t be traced back to a person.</li>
      </ul>
    </details>
  )
}

const OverviewSkeleton = () => (
  <SkeletonGroup label="Loading your insights..." className="grid gap-4">
    <Skeleton className="h-9 w-72 justify-self-end rounded-input" />
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <Skeleton className="h-112 rounded-card" />
      <div className="grid content-start gap-4">
        <Skeleton className="h-48 rounded-card" />
        <Skeleton className="h-48 rounded-card" />
      </div>
    </div>
    <div className="grid gap-4 md:grid-cols-2">
      <Skeleton className="h-72 rounded-card" />
      <Skeleton className="h-72 rounded-card" />
    </div>
  </SkeletonGroup>
)

function AudienceCard({ audience: { followers, subscribers, saves } }: { audience: Insights['audience'] }) {
  return (
    <Card asChild>
      <section aria-label="Audience">
        <CardBody>
          <h2 className="text-lg">Audience</h2>
          <dl className="mt-3 grid gap-3">
            <Line name="Followers" {...followers} />
            <Line name="Subscribers" {...subscribers} />
            <Line name="Favorites" {...saves} note="Shown in steps of five to keep individual favorites private." />
          </dl>
        </CardBody>
      </section>
    </Card>
  )
}

function Line({ name, now, before, note }: { name: string; now: Figure; before: Figure; note?: string }) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 border-line border-t pt-3 first:border-t-0 first:pt-0">
      <dt className="font-normal">
        {name}
        {note && <span className="block font-normal text-muted text-xs">{note}</span>}
      </dt>
      <dd className="grid justify-items-end">
        <span className="font-semibold text-lg tabular-nums">{figureText(now)}</span>
        <FigureChange change={differenceOf(now, before)} />
      </dd>
    </div>
  )
}

const shown: readonly Metric[] = ['page', 'call', 'directions', 'site']

function FiguresCard({ insights }: { insights: Insights }) {
  const [metric, setMetric] = useState<Metric>('page')
  const [isTable, setTable] = useState(false)
  const name = useId()
  const { steps, series, totals } = insights
  const values = series.find((each) => each.metric === metric)?.values ?? []
  return (
    <Card asChild>
      <section aria-label="Visits">
        <fieldset className="grid grid-cols-2 border-line border-b sm:grid-cols-4">
          <legend className="sr-only">Choose the figure to plot</legend>
          {shown.map((each) => {
            const total = totals.find((row) => row.metric === each)
            const value = total?.value ?? null
            return (
              <label
                key={each}
                className={cx(
                  'relative grid content-start gap-0.5 border-line p-4 transition-colors hover:bg-sunk/60 has-focus-visible:z-1 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus sm:px-5',
                  'max-sm:odd:border-r max-sm:nth-[n+4]:border-t sm:not-last:border-r',
                  'after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 has-checked:after:bg-leaf',
                )}
              >
                <input type="radio" name={name} className="sr-only" checked={metric === each} onChange={() => setMetric(each)} />
                <span className="text-muted text-sm">{metricNames[each]}</span>
                <span className="font-display text-2xl tabular-nums">
                  <span aria-hidden="true">{shortFigure(value)}</span>
                  <span className="sr-only">{figureText(value)}</span>
                </span>
                <FigureChange change={changeOf(value, total?.before ?? null)} />
                <span className="text-muted text-sm tabular-nums">
                  Today: <span aria-hidden="true">{shortFigure(total?.today ?? null)}</span>
                  <span className="sr-only">{figureText(total?.today ?? null)}</span>
                </span>
              </label>
            )
          })}
        </fieldset>
        <div className="p-4 sm:p-5">
          <div className="mb-1 flex items-center justify-between gap-3">
            <h2 className="text-lg">{metricNames[metric]}</h2>
            <Button variant="quiet" size="sm" aria-pressed={isTable} onClick={() => setTable(!isTable)} className="aria-pressed:bg-sunk">
              <Table2 aria-hidden="true" />
              Table
            </Button>
          </div>
          {isTable ? (
            <FiguresTable insights={insights} />
          ) : (
            <SeriesPlot key={metric} name={metricNames[metric]} period={insights} steps={steps} values={values} />
          )}
        </div>
      </section>
    </Card>
  )
}

const firstColumn = { day: 'Day', week: 'Week', month: 'Month' }

function FiguresTable({ insights }: { insights: Insights }) {
  const { steps, by, series } = insights
  const columns = shown.map((metric) => ({ metric, values: series.find((each) => each.metric === metric)?.values ?? [] }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section className="max-h-80 overflow-auto rounded-input border border-line" tabIndex={0} aria-label="Visits as a table">
      <table className="w-full text-sm tabular-nums">
        <thead className="sticky top-0 bg-sunk text-left">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              {firstColumn[by]}
            </th>
            {columns.map(({ metric }) => (
              <th key={metric} scope="col" className="px-3 py-2 text-right font-medium">
                {metricNames[metric]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps
            .map((step, i) => (
              <tr key={step} className="border-line border-t">
                <th scope="row" className="whitespace-nowrap px-3 py-2 text-left font-normal">
                  {stepText(step, insights)}
                </th>
                {columns.map(({ metric, values }) => (
                  <td key={metric} className="px-3 py-2 text-right">
                    {figureText(values[i] ?? null)}
                  </td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  )
}
