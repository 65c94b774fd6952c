import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { ArrowDownRight, ArrowRight, ArrowUpRight, ChartColumn, CheckCheck, ChevronRight, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { getInsights, listNextSteps } from '#contracts/calls/insights.ts'
import type { InsightStep, Insights, NextStep } from '#contracts/insights.endpoints.ts'
import { addressOf, callOptions } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { othersChange } from '#web/lib/query-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type InsightRange, insightRanges } from './dashboard-search.ts'
import { type Change, type Figure, figureText, ranges, ratePerHundred, usualRange } from './figures.tsx'

type FunnelStep = Insights['funnel'][number]['step']

const funnelStepNames: Record<FunnelStep, { name: string; what: string }> = {
  views: { name: 'Opened your page', what: 'Page views' },
  actions: { name: 'Got in touch', what: 'Calls, directions, website clicks' },
  follows: { name: 'Followed or favorited you', what: 'New followers and favorites, minus any undone' },
  subscribers: { name: 'Subscribed', what: 'New subscribers who haven’t left' },
}

/** Bars are relative to the longest. */
export function FunnelCard({ funnel }: { funnel: Insights['funnel'] }) {
  const views = funnel[0]?.value ?? 0
  const longest = Math.max(1, ...funnel.map(({ value }) => value ?? 0))
  return (
    <Card asChild>
      <section aria-label="Conversion">
        <CardBody>
          <h2 className="text-lg">Conversion</h2>
          <ol className="mt-4 grid gap-4">
            {funnel.map(({ step, value }, i) => (
              <li key={step}>
                <div className="flex items-baseline justify-between gap-3">
                  <p className="font-medium">{funnelStepNames[step].name}</p>
                  <p className="whitespace-nowrap tabular-nums">
                    <span className="font-semibold">{figureText(value)}</span>
                    {i > 0 && value !== null && views > 0 && (
                      <span className="ml-2 text-muted text-sm">{ratePerHundred(value, views)} views</span>
                    )}
                  </p>
                </div>
                <p className="text-muted text-sm">{funnelStepNames[step].what}</p>
                <div aria-hidden="true" className="mt-1.5 h-2 rounded-full bg-sunk">
                  <div className="h-full rounded-full bg-leaf" style={{ width: `${((value ?? 0) / longest) * 100}%` }} />
                </div>
              </li>
            ))}
          </ol>
        </CardBody>
      </section>
    </Card>
  )
}

type RankedCardProps = {
  title: string
  of: string
  rows: readonly { key: string; name: ReactNode; views: number }[]
  empty: ReactNode
}

export function RankedCard({ title, of, rows, empty }: RankedCardProps) {
  const maxViews = Math.max(1, ...rows.map(({ views }) => views))
  return (
    <Card asChild>
      <section aria-label={title}>
        <CardBody>
          <div className="flex items-baseline justify-between gap-3">
            <h2 className="text-lg">{title}</h2>
            {rows.length > 0 && <p className="text-muted text-sm">{of}</p>}
          </div>
          {rows.length === 0 ? (
            <p className="mt-3 max-w-text text-[0.9375rem] text-muted">{empty}</p>
          ) : (
            <ol className="mt-3 grid gap-1">
              {rows.map(({ key, name, views }) => (
                <li key={key} className="relative flex items-baseline justify-between gap-4 py-2">
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  <span className="tabular-nums">
                    {formatNumber(views)}
                    <span className="sr-only"> {of}</span>
                  </span>
                  <span aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1 overflow-hidden rounded-full bg-sunk">
                    <span className="block h-full rounded-full bg-leaf/70" style={{ width: `${(views / maxViews) * 100}%` }} />
                  </span>
                </li>
              ))}
            </ol>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const unlocked = [
  'Views, calls, directions and website clicks by day, week and month',
  'Each period compared with the previous one',
  'Where visitors come from, and which products and posts they view, once at least 60 people have visited',
  'Followers, subscribers and favorites over time, with a CSV download',
]

/** Shows businesses without the plan one real figure, and describes the others. */
export function TasteCard({ business, pageViews }: { business: MyBusiness; pageViews: Figure }) {
  return (
    <Card asChild>
      <section aria-label="Visits">
        <CardBody className="grid gap-x-10 gap-y-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:p-7">
          <div className="sm:border-line sm:border-r sm:pr-10">
            <h2 className="text-base text-muted">Page views in the last 7 days, including today</h2>
            <p className="mt-1 font-display text-4xl tabular-nums">{figureText(pageViews)}</p>
          </div>
          <div>
            <p className="flex items-center gap-2 font-medium">
              <ChartColumn aria-hidden="true" className="size-4.5 text-leaf" />
              With Business Tools, you’ll also see:
            </p>
            <ul className="mt-2 grid list-disc gap-1 pl-5 text-[0.9375rem] text-muted">
              {unlocked.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {business.role === 'owner' ? (
              <Button asChild className="mt-4">
                <Link to="/business/$id" params={{ id: business.slug }} search={{ tab: 'tools' }} hash="more">
                  See Business Tools
                </Link>
              </Button>
            ) : (
              <p className="mt-4 text-muted text-sm">The owner of {business.name} can get Business Tools.</p>
            )}
          </div>
        </CardBody>
      </section>
    </Card>
  )
}

const icons = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight }

/** A decrease isn't an error, so it doesn't have a color. */
export function FigureChange({ change, className }: { change: Change | null; className?: string }) {
  if (!change) return null
  const Icon = icons[change.direction]
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 text-sm tabular-nums',
        change.direction === 'up' ? 'text-leaf' : 'text-muted',
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span aria-hidden="true">{change.text}</span>
      <span className="sr-only">{change.spoken}</span>
    </span>
  )
}

const stepNames: Record<InsightStep, string> = { day: 'By day', week: 'By week', month: 'By month' }

export function PeriodBar({ business, range, by }: { business: MyBusiness; range: InsightRange; by: InsightStep }) {
  const navigate = useNavigate({ from: '/business-dashboard' })
  const show = (change: { range?: InsightRange | undefined; by?: InsightStep | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true, resetScroll: false })
  const { days, steps } = ranges[range]
  return (
    <div className="flex items-center gap-2 max-sm:w-full max-sm:flex-wrap max-sm:[&>span]:flex-[1_0_auto]">
      <Select
        aria-label="Period"
        value={range}
        className="min-h-9! py-1 text-sm"
        onChange={({ target }) => show({ range: target.value === usualRange ? undefined : (target.value as InsightRange), by: undefined })}
      >
        {insightRanges.map((each) => (
          <option key={each} value={each}>
            Last {ranges[each].label}
          </option>
        ))}
      </Select>
      {steps.length > 1 && (
        <Select
          aria-label="Group by"
          value={by}
          className="min-h-9! py-1 text-sm"
          onChange={({ target }) => show({ by: target.value === steps[0] ? undefined : (target.value as InsightStep) })}
        >
          {steps.map((step) => (
            <option key={step} value={step}>
              {stepNames[step]}
            </option>
          ))}
        </Select>
      )}
      <Button asChild variant="secondary" size="sm" className="min-h-9 max-sm:[&_svg]:hidden">
        <a href={fileAddress(business.slug, { days, by })} download>
          <Download aria-hidden="true" />
          CSV
        </a>
      </Button>
    </div>
  )
}

/** Optional, so an error renders nothing. */
export function NextStepsCard({ business }: { business: MyBusiness }) {
  const { data: steps, isPending } = useQuery(nextStepsOptions(business.id))
  if (isPending) return <Skeleton className="h-36 rounded-card" />
  if (!steps) return null
  return (
    <Card asChild>
      <section aria-label="What to do next">
        <CardBody>
          <h2 className="text-lg">What to do next</h2>
          {steps.length === 0 ? (
            <p className="mt-2 flex gap-2.5 text-[0.9375rem] text-muted">
              <CheckCheck aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-leaf" />
              You’re all caught up.
            </p>
          ) : (
            <ul className="-mx-2 mt-2 grid gap-0.5">
              {steps.map((step) => (
                <li key={step.kind}>
                  <Step step={step} business={business} />
                </li>
              ))}
            </ul>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

function Step({ step, business }: { step: NextStep; business: MyBusiness }) {
  const { title, why, link } = stepWords(step, business)
  return (
    <Link
      {...link}
      className="group flex items-center gap-3 rounded-input px-2 py-2 transition-colors hover:bg-sunk focus-visible:-outline-offset-2"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium text-[0.9375rem]">{title}</span>
        <span className="block text-muted text-sm">{why}</span>
      </span>
      <ChevronRight
        aria-hidden="true"
        className="size-4.5 shrink-0 text-muted transition-transform group-hover:translate-x-0.5 motion-reduce:transition-none"
      />
    </Link>
  )
}

const counted = (count: number | null, one: string, many: string) => `${count ?? 0} ${count === 1 ? one : many}`

function stepWords({ kind, count }: NextStep, { slug }: MyBusiness) {
  const search = { business: slug }
  const menu = linkOptions({ to: '/business-dashboard/menu', search })
  const license = linkOptions({ to: '/business-dashboard/license', search })
  switch (kind) {
    case 'no_menu':
      return { title: 'Add your menu', why: 'Shoppers look for products first.', link: menu }
    case 'old_menu':
      return {
        title: `Confirm ${counted(count, 'menu item', 'menu items')}`,
        why: 'Not confirmed for more than a week. Shoppers see how old a menu is.',
        link: menu,
      }
    case 'reviews':
      return {
        title: `Reply to ${counted(count, 'review', 'reviews')}`,
        why: 'Everyone who reads the review sees your reply.',
        link: linkOptions({ to: '/business/$id', params: { id: slug }, search: { tab: 'reviews' }, hash: 'more' }),
      }
    case 'license_expires':
      return {
        title: count === 0 ? 'Your license expires today' : `Your license expires in ${counted(count, 'day', 'days')}`,
        why: 'After that, your page will show it as expired. Already renewed? Verify it again.',
        link: license,
      }
    case 'license_expired':
      return { title: 'Your license has expired', why: 'Your page shows it as expired. Verify the new one.', link: license }
    case 'no_license':
      return { title: 'Verify your license', why: 'It’s free, and shoppers look for it.', link: license }
    case 'no_description':
      return {
        title: 'Describe your business',
        why: 'Your page doesn’t have a description yet.',
        link: linkOptions({ to: '/business-dashboard/profile', search }),
      }
    case 'no_hours':
      return {
        title: 'Add your hours',
        why: 'Your page will show whether you’re open.',
        link: linkOptions({ to: '/business-dashboard', search: { ...search, tab: 'locations' } }),
      }
    case 'no_posts':
    case 'no_recent_posts':
      return {
        title: 'Write a post',
        why: `Followers see your posts in their feed. ${kind === 'no_posts' ? 'You haven’t posted yet.' : 'You haven’t posted in three weeks.'}`,
        link: linkOptions({ to: '/business-dashboard', search: { ...search, tab: 'social' } }),
      }
  }
}

type Period = { days: number; by: InsightStep }

export const insightsOptions = (businessId: string, period: Period) => ({
  ...callOptions(getInsights, { params: { id: businessId }, query: period }),
  meta: othersChange,
  placeholderData: keepPreviousData,
})

const nextStepsOptions = (businessId: string) => ({ ...callOptions(listNextSteps, { params: { id: businessId } }), staleTime: 0 })

const fileAddress = (slug: string, period: Period): string =>
  addressOf({ path: `${getInsights.path}.csv` as `/api/${string}` }, { params: { id: slug }, query: period })
