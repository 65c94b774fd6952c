import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SubscriptionReport } from '../../../contracts/billing.ts'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { moneyText } from './agreement-words.ts'
import { reportOptions } from './billing.api.ts'
import { churnText, monthName } from './month-words.ts'
import { MonthsPlot } from './months-plot.tsx'
import { OfferCard } from './offer-card.tsx'
import { OwnInvoices } from './own-invoices.tsx'
import { PaymentAccountsCard } from './payment-accounts-card.tsx'

/** Who subscribes, what it brings, and the price. */
export function SubscriptionsTab({ business }: { business: MyBusiness }) {
  const { data: report, isPending, error, refetch, isFetching } = useQuery(reportOptions(business.id))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {isPending ? (
          <Loading />
        ) : report ? (
          <Report report={report} />
        ) : error instanceof ApiError && error.status === 403 ? (
          <p className="rounded-card border border-line border-dashed px-5 py-10 text-center text-muted">
            Subscribers and revenue are the owner’s to see.
          </p>
        ) : (
          <Card>
            <ErrorState
              title="The figures could not be loaded"
              description={messageOf(error)}
              onRetry={() => void refetch()}
              pending={isFetching}
            />
          </Card>
        )}
        {business.role === 'owner' && <OwnInvoices business={business} />}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <OfferCard business={business} />
        {business.role === 'owner' && <PaymentAccountsCard business={business} />}
      </div>
    </div>
  )
}

function Report({ report }: { report: SubscriptionReport }) {
  const thisMonth = report.months.at(-1)
  const lastMonth = report.months.at(-2)
  return (
    <>
      <h2 className="sr-only">Figures</h2>
      <dl className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
        <Figure name="Subscribers" value={formatNumber(report.subscriberCount)}>
          {thisMonth && `${thisMonth.began} new, ${thisMonth.ended} ended this month`}
        </Figure>
        <Figure name="Paying" value={formatNumber(report.payingCount)}>
          of all subscribers
        </Figure>
        <Figure name="Revenue" value={moneyText(report.monthlyRevenue)}>
          per month, {report.revenueShare}% of it yours
        </Figure>
        <Figure name="Churn" value={churnText(lastMonth?.churn ?? null)}>
          {lastMonth ? `in ${monthName(lastMonth.month)}` : 'of the last full month'}
        </Figure>
      </dl>
      <MonthsPlot months={report.months} currency={report.monthlyRevenue.currency} />
    </>
  )
}

function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <Card className="p-4 sm:p-5">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="mt-1 font-display font-display text-2xl tabular-nums">{value}</dd>
      <dd className="mt-1 text-muted text-sm">{children}</dd>
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup label="Loading the figures..." className="grid gap-5">
    <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      {[1, 2, 3, 4].map((card) => (
        <Skeleton key={card} className="h-28 rounded-card" />
      ))}
    </div>
    <Skeleton className="h-80 rounded-card" />
  </SkeletonGroup>
)
