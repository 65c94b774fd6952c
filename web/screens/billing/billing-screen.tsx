import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChartColumn, FileText } from 'lucide-react'
import type { Payment } from '#contracts/billing.ts'
import { paymentProviders } from '#contracts/payment-providers.ts'
import { paymentsOptions } from '#web/entities/billing/billing.api.ts'
import { dayOf, moneyText, paymentWords } from '#web/entities/billing/billing-words.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { AgreementList, payerOf, type Scope } from './agreement-list.tsx'
import { OfferedPlans } from './offered-plans.tsx'

export function BillingScreen({ business: wanted }: { business: string | undefined }) {
  const { data: businesses, isPending, error, refetch, isFetching } = useQuery(myBusinessesOptions)
  const owned = businesses?.filter(({ role }) => role === 'owner') ?? []
  const business = wanted === undefined ? undefined : owned.find(({ slug, id }) => slug === wanted || id === wanted)
  return (
    <div className="mx-auto max-w-4xl px-4 pt-8 pb-16 sm:px-6">
      <PageHeader title="Billing" description="Your plans, when they end, and your receipts.">
        {business && (
          <Button asChild variant="secondary" size="sm">
            <Link to="/business-dashboard" search={{ business: business.slug }}>
              <ChartColumn aria-hidden="true" />
              Dashboard
            </Link>
          </Button>
        )}
      </PageHeader>
      {wanted !== undefined && isPending ? (
        <SkeletonGroup label="Loading your businesses..." className="mt-6 grid gap-4">
          <Skeleton className="h-9 w-52 rounded-full" />
          <Skeleton className="h-36 rounded-card" />
        </SkeletonGroup>
      ) : wanted !== undefined && error ? (
        <LoadError title="Your businesses couldn’t be loaded" query={{ error, refetch, isFetching }} />
      ) : wanted !== undefined && !business ? (
        <EmptyState title="You don’t own this business" description="Only the owner sees a business’s plans and receipts.">
          <Link to="/billing" className={chipClass(false)}>
            Your own billing
          </Link>
        </EmptyState>
      ) : (
        <>
          {owned.length > 0 && <WhoseNav owned={owned} current={business?.id} />}
          <Sections key={business?.id ?? 'own'} scope={business ? { kind: 'business', business } : { kind: 'own', businesses: owned }} />
        </>
      )}
    </div>
  )
}

type Owned = { id: string; slug: string; name: string }

function WhoseNav({ owned, current }: { owned: Owned[]; current: string | undefined }) {
  return (
    <nav aria-label="Choose a billing account" className="mt-5 flex gap-2 overflow-x-auto py-1 [scrollbar-width:none]">
      <Link to="/billing" search={{}} aria-current={current ? undefined : 'page'} className={chipClass(!current)}>
        You
      </Link>
      {owned.map(({ id, slug, name }) => (
        <Link
          key={id}
          to="/billing"
          search={{ business: slug }}
          aria-current={id === current ? 'page' : undefined}
          className={chipClass(id === current, 'max-w-64')}
        >
          <span className="truncate">{name}</span>
        </Link>
      ))}
    </nav>
  )
}

function Sections({ scope }: { scope: Scope }) {
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-10">
      <AgreementList scope={scope} />
      <OfferedPlans scope={scope} />
      <PaymentHistory scope={scope} />
    </div>
  )
}

function PaymentHistory({ scope }: { scope: Scope }) {
  const list = useInfiniteQuery(paymentsOptions(payerOf(scope)))
  return (
    <section aria-labelledby="payments">
      <h2 id="payments" className="text-xl">
        Payments
      </h2>
      <p className="mt-1 max-w-text text-muted">Statements and receipts show a neutral name. Only you see this list.</p>
      <div className="mt-4">
        <PagedList
          list={list}
          loadingLabel="Loading payments..."
          skeleton={<SkeletonText lines={2} />}
          failure="Payments couldn’t be loaded"
          empty={
            <p className="rounded-card border border-line border-dashed px-5 py-8 text-muted">
              No payments yet. Your receipts will appear here.
            </p>
          }
          cards="whole"
        >
          {(payments) => (
            <Card asChild>
              <ul className="divide-y divide-line">
                {payments.map((payment) => (
                  <li key={payment.id}>
                    <PaymentRow payment={payment} />
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </PagedList>
      </div>
    </section>
  )
}

function PaymentRow({ payment: { title, money, status, refunded, provider, paidAt, receiptNumber, receiptUrl } }: { payment: Payment }) {
  const { badge, tone } = paymentWords(status)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 sm:grid-cols-[minmax(0,1fr)_8rem_7rem_8.5rem] sm:px-5">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-muted text-sm">
          {dayOf(paidAt)} · {paymentProviders[provider].label}
        </p>
      </div>
      <p className="max-sm:order-3 sm:text-center">
        <Badge variant={tone}>{badge}</Badge>
      </p>
      <p className="text-right tabular-nums">
        {moneyText(money)}
        {refunded && <span className="block text-muted text-sm">{moneyText(refunded)} refunded</span>}
      </p>
      <p className="text-right text-sm max-sm:order-4">
        {receiptUrl && (
          <a href={receiptUrl} target="_blank" rel="noopener" className={`${textLink} inline-flex items-center gap-1.5 py-1`}>
            <FileText aria-hidden="true" className="size-4 shrink-0" />
            {receiptNumber ?? 'Receipt'}
            <span className="sr-only">, receipt as a PDF, opens in a new tab</span>
          </a>
        )}
      </p>
    </div>
  )
}
