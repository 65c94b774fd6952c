import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { OpenInvoice, ReceivedPayment, SubscriptionReport } from '#contracts/billing.ts'
import type { MyBusiness } from '#contracts/businesses.ts'
import { ownInvoicesOptions, paymentAccountsOptions, receivedPaymentsOptions, reportOptions } from '#web/entities/billing/billing.api.ts'
import {
  amountOf,
  barHeights,
  churnText,
  dayOf,
  type IncomeMeasure,
  measures,
  moneyText,
  monthName,
  paymentWords,
  shortMonth,
} from '#web/entities/billing/billing-words.ts'
import { OpenInvoices, openPurchase, RecordPaymentDialog, RefundDialog } from '#web/entities/billing/open-invoices.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { OfferCard } from './offer-card.tsx'
import { PaymentAccountsCard } from './payment-accounts-card.tsx'

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
            Only the owner and managers can see subscribers and revenue.
          </p>
        ) : (
          <Card>
            <LoadError title="The figures couldn’t be loaded" query={{ error, refetch, isFetching }} />
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
          {report.subscriberCount > 0 && `of ${counted(report.subscriberCount, 'subscriber')}`}
        </Figure>
        <Figure name="Revenue" value={moneyText(report.monthlyRevenue)}>
          per month, {report.revenueShare}% of it yours
        </Figure>
        <Figure name="Churn" value={churnText(lastMonth?.churn ?? null)}>
          of everyone subscribed in {lastMonth ? monthName(lastMonth.month) : 'the last full month'}
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
      <dd className="mt-1 font-display text-2xl tabular-nums">{value}</dd>
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

type MonthsPlotProps = { months: SubscriptionReport['months']; currency: string }

function MonthsPlot({ months, currency }: MonthsPlotProps) {
  const [measure, setMeasure] = useState<IncomeMeasure>('subscribers')
  const heights = barHeights(months, measure)
  const text = (month: MonthsPlotProps['months'][number]) =>
    measure === 'revenue' ? moneyText({ amount: month.revenue, currency }) : formatNumber(amountOf(month, measure))
  return (
    <Card asChild>
      <section aria-labelledby="months">
        <CardBody>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="months" className="text-lg">
              The last 12 months
            </h2>
            <fieldset className="flex flex-wrap gap-1.5">
              <legend className="sr-only">Choose what the bars show</legend>
              {Object.entries(measures).map(([key, name]) => (
                <Chip key={key} pressed={key === measure} onClick={() => setMeasure(key as IncomeMeasure)}>
                  {name}
                </Chip>
              ))}
            </fieldset>
          </div>
          {heights.every((height) => height === 0) && <p className="mt-6 -mb-6 text-muted text-sm">No data for these months yet.</p>}
          {/* The table has the same data. */}
          <div aria-hidden="true" className="mt-6 flex h-48 items-stretch gap-1 border-line border-b sm:gap-2">
            {months.map((month, index) => (
              <div
                key={month.month}
                title={`${monthName(month.month)}: ${text(month)}`}
                className="group flex min-w-0 flex-1 flex-col justify-end"
              >
                {heights[index] !== 0 && (
                  <span className="text-center text-muted text-xs whitespace-nowrap tabular-nums max-sm:hidden">{text(month)}</span>
                )}
                <div
                  className="mt-1 rounded-t-tag bg-leaf/80 transition-[height] group-last:bg-leaf group-hover:bg-leaf-strong"
                  style={{ height: `${(heights[index] ?? 0) * 0.86}%` }}
                />
              </div>
            ))}
          </div>
          <div aria-hidden="true" className="mt-1.5 flex gap-1 sm:gap-2">
            {months.map(({ month }, index) => (
              <span
                key={month}
                className={`flex min-w-0 flex-1 justify-center text-muted text-xs whitespace-nowrap ${(months.length - 1 - index) % 3 === 0 ? '' : 'max-sm:invisible'}`}
              >
                {shortMonth(month)}
              </span>
            ))}
          </div>
          <details className="mt-4">
            <summary className={`${textLink} inline-block cursor-pointer py-1 text-sm`}>Show as a table</summary>
            <Table months={months} currency={currency} />
          </details>
        </CardBody>
      </section>
    </Card>
  )
}

function Table({ months, currency }: MonthsPlotProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section aria-label="The last 12 months as a table" tabIndex={0} className="mt-3 overflow-x-auto">
      <table className="w-full text-right text-sm tabular-nums">
        <thead className="text-muted">
          <tr className="border-line border-b [&>th]:px-2 [&>th]:py-2 [&>th]:font-medium">
            <th scope="col" className="text-left">
              Month
            </th>
            <th scope="col">Subscribers</th>
            <th scope="col">New</th>
            <th scope="col">Ended</th>
            <th scope="col">Churn</th>
            <th scope="col">Revenue</th>
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map(({ month, subscribers, began, ended, churn, revenue }) => (
            <tr key={month} className="border-line border-b last:border-0 [&>td]:px-2 [&>td]:py-2">
              <th scope="row" className="px-2 py-2 text-left font-normal whitespace-nowrap">
                {monthName(month)}
              </th>
              <td>{subscribers}</td>
              <td>{began}</td>
              <td>{ended}</td>
              <td>{churnText(churn)}</td>
              <td>{moneyText({ amount: revenue, currency })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function OwnInvoices({ business }: { business: MyBusiness }) {
  const { data: accounts } = useQuery(paymentAccountsOptions(business.id))
  const isUsed = accounts?.invoice || accounts?.former.some(({ provider }) => provider === 'invoice')
  return isUsed ? (
    <>
      <UnpaidInvoices business={business} />
      <ReceivedPayments business={business} />
    </>
  ) : null
}

function UnpaidInvoices({ business }: { business: MyBusiness }) {
  const list = useInfiniteQuery(ownInvoicesOptions(business.id))
  const [recording, record] = useState<OpenInvoice | 'further' | null>(null)
  return (
    <section aria-labelledby="own-invoices" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="own-invoices" className="text-lg">
          Open invoices
        </h2>
        <Button variant="secondary" size="sm" onClick={() => record('further')}>
          Record next payment
        </Button>
      </div>
      <PagedList
        list={list}
        loadingLabel="Loading open invoices..."
        skeleton={<Skeleton className="h-24 rounded-card" />}
        failure="Open invoices couldn’t be loaded"
        empty={
          <EmptyState
            level={3}
            title="No open invoices"
            description="People who choose to pay you by invoice appear here until you record their payment or the invoice expires."
          />
        }
        cards="each"
      >
        {(checkouts) => <OpenInvoices checkouts={checkouts} onRecord={record} />}
      </PagedList>
      {recording !== null && (
        <RecordPaymentDialog
          purchase={recording === 'further' ? null : openPurchase(recording)}
          businessId={business.id}
          onClose={() => record(null)}
        />
      )}
    </section>
  )
}

function ReceivedPayments({ business }: { business: MyBusiness }) {
  const list = useInfiniteQuery(receivedPaymentsOptions(business.id))
  const [refunding, refund] = useState<ReceivedPayment | null>(null)
  const [extended, extend] = useState<ReceivedPayment | null>(null)
  return (
    <section aria-labelledby="received-payments" className="grid gap-4">
      <h2 id="received-payments" className="text-lg">
        Payments by invoice
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading payments..."
        skeleton={<SkeletonText lines={2} />}
        failure="Payments couldn’t be loaded"
        empty={<EmptyState level={3} title="No payments yet" description="Payments you record appear here, and you can record refunds." />}
        cards="whole"
      >
        {(payments) => (
          <Card asChild>
            <ul className="divide-y divide-line">
              {payments.map((payment) => (
                <li key={payment.id}>
                  <ReceivedRow
                    payment={payment}
                    isLast={payments.find(({ agreementId }) => agreementId === payment.agreementId) === payment}
                    onNext={() => extend(payment)}
                    onRefund={() => refund(payment)}
                  />
                </li>
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
      {extended && (
        <RecordPaymentDialog
          purchase={{ ...extended, description: `${extended.payer}: ${extended.title}` }}
          businessId={business.id}
          onClose={() => extend(null)}
        />
      )}
      {refunding && <RefundDialog payment={refunding} businessId={business.id} onClose={() => refund(null)} />}
    </section>
  )
}

type ReceivedRowProps = {
  payment: ReceivedPayment
  /** Whether this is the latest payment of its purchase, so that the next one can be recorded. */
  isLast: boolean
  onNext: () => void
  onRefund: () => void
}

function ReceivedRow({ payment, isLast, onNext, onRefund }: ReceivedRowProps) {
  const { payer, reference, money, status, refunded, paidAt } = payment
  const { badge, tone } = paymentWords(status)
  const name = payer ?? 'Deleted account'
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3.5 sm:px-5">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted text-sm wrap-anywhere">
          {dayOf(paidAt)} · Reference {reference}
        </p>
      </div>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <p className="text-right tabular-nums">
          {moneyText(money)}
          {refunded && <span className="block text-muted text-sm">{moneyText(refunded)} refunded</span>}
        </p>
        <Badge variant={tone}>{badge}</Badge>
        {isLast && payer !== null && (
          <Button variant="secondary" size="sm" onClick={onNext}>
            <span>
              Record next payment<span className="sr-only"> of {name}</span>
            </span>
          </Button>
        )}
        {status !== 'refunded' && (
          <Button variant="quiet" size="sm" onClick={onRefund}>
            <span>
              Record refund
              <span className="sr-only">
                {' '}
                of {moneyText(money)} to {name}
              </span>
            </span>
          </Button>
        )}
      </div>
    </div>
  )
}
