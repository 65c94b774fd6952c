import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import type { Insights } from '../../../contracts/insights.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Ago } from '../../ui/ago.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { AudienceCard } from './audience-card.tsx'
import { periodText, sourceNames } from './figure-words.ts'
import { FiguresCard } from './figures-card.tsx'
import { FunnelCard } from './funnel-card.tsx'
import { insightsOptions } from './insights.api.ts'
import { NextStepsCard } from './next-steps-card.tsx'
import { PeriodBar } from './period-bar.tsx'
import { ranges, stepOf, usualRange } from './periods.ts'
import { RankedCard } from './ranked-card.tsx'
import { TasteCard } from './taste-card.tsx'

/** What the page of a business brings, and what to do next. */
export function OverviewTab({ business }: { business: MyBusiness }) {
  const { range = usualRange, by: wanted } = useSearch({ from: '/business-dashboard' })
  const by = stepOf(range, wanted)
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(insightsOptions(business.id, { days: ranges[range].days, by }))
  if (!data) {
    if (!error) return <OverviewSkeleton />
    return (
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <ErrorState
          title="The figures could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
        <NextStepsCard business={business} />
      </div>
    )
  }
  const { insights, taste } = data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {insights && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-muted text-sm">
            {periodText(insights.from, insights.to)}, against the {ranges[range].label} before
          </p>
          <PeriodBar business={business} range={range} by={by} />
        </div>
      )}
      <div
        className={cx('grid items-start gap-4 transition-opacity lg:grid-cols-[minmax(0,1fr)_21rem]', isPlaceholderData && 'opacity-60')}
      >
        {insights ? <FiguresCard insights={insights} /> : <TasteCard business={business} pageViews={taste.pageViews} />}
        {/* Under one another, what a new owner can do comes before what could be bought. */}
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
          // What has no name is not ranked among what has.
          .sort((a, b) => Number(a.isRest) - Number(b.isRest))}
        empty="Shown once at least 60 people have visited. A post, a menu and a shared link bring the first ones."
      />
      <RankedCard
        title="Top products"
        of="views"
        rows={products.map(({ id, name, views }) => ({ key: id, name, views }))}
        empty={
          <>
            Shown once at least 60 people have looked at products.{' '}
            <Link to="/business-dashboard/menu" search={search} className={textLink}>
              Look after your menu
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
            Shown once at least 60 people have seen your posts.{' '}
            <Link to="/business-dashboard" search={{ ...search, tab: 'social' }} className={textLink}>
              Write one
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
            Counted <Ago at={countedAt} />, in days of {timeZone.replaceAll('_', ' ')}. How it is counted
          </>
        ) : (
          'Counting begins within minutes. How it is counted'
        )}
      </summary>
      <ul className="mt-3 grid max-w-text list-disc gap-1.5 pl-5 text-muted">
        <li>
          Your team’s own visits, bots and pages loaded ahead of a click are left out. The same visitor again within half an hour is one
          visit.
        </li>
        <li>
          No person is shown. A figure about fewer than five people waits: quiet days are shown together with the next ones, and sources,
          products and posts with few visitors stand under “{sourceNames.rest}” or not at all.
        </li>
        <li>Today goes up in steps of five until it is over.</li>
        <li>Who visits is never stored. A visitor is recognized for one day, by a number that cannot be turned back into anybody.</li>
      </ul>
    </details>
  )
}

const OverviewSkeleton = () => (
  <SkeletonGroup label="Loading your figures..." className="grid gap-4">
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
