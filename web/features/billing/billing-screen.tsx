import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { chipClass } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { myBusinessesOptions } from '../businesses/businesses.api.ts'
import { AgreementList } from './agreement-list.tsx'
import { OfferedPlans } from './offered-plans.tsx'
import { PaymentHistory } from './payment-history.tsx'
import type { Scope } from './scope.ts'

/** What one pays for: oneself, or the businesses one owns. */
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
        <ErrorState
          title="Your businesses could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
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
    <nav aria-label="Whose billing" className="mt-5 flex gap-2 overflow-x-auto py-1 [scrollbar-width:none]">
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
