import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { isAhead } from '../../lib/take-over.ts'
import { useIsHydrating } from '../../lib/use-is-hydrating.ts'
import { WhenSeen } from '../../lib/when-seen.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { businessEventsOptions } from '../events/events.api.ts'
import { BusinessHours, OtherLocations } from '../locations/business-hours.tsx'
import { BusinessContact } from './business-contact.tsx'
import { BusinessHeader } from './business-header.tsx'
import type { BusinessTab } from './business-search.ts'
import { BusinessSkeleton, PartSkeleton } from './business-skeleton.tsx'
import { businessOptions } from './businesses.api.ts'
import { usePageView } from './use-page-view.ts'

const BusinessNotFound = lazy(async () => ({ default: (await import('./business-not-found.tsx')).BusinessNotFound }))

// What a phone shows first comes first.
const loadTabs = () => import('./business-tabs.tsx')
const loadLicense = () => import('./license-panel.tsx')
const BusinessTabs = lazy(async () => ({ default: (await loadTabs()).BusinessTabs }))
const LicensePanel = lazy(async () => ({ default: (await loadLicense()).LicensePanel }))
const loadEvents = () => import('../events/business-events.tsx')
const BusinessEvents = lazy(async () => ({ default: (await loadEvents()).BusinessEvents }))
const loadPlace = () => import('./business-place.tsx')
const BusinessPlace = lazy(async () => ({ default: (await loadPlace()).BusinessPlace }))
if (!isAhead()) for (const load of [loadTabs, loadLicense]) void load().catch(() => undefined)

type BusinessScreenProps = { idOrSlug: string; tab: BusinessTab; onTab: (tab: BusinessTab) => void }

export function BusinessScreen({ idOrSlug, tab, onTab }: BusinessScreenProps) {
  const { data: business, isPending, error, refetch, isFetching } = useQuery(businessOptions(idOrSlug))
  usePageView(business?.id)
  if (isPending) return <BusinessSkeleton />
  if (!business) {
    // An address that cannot be an id or a slug names nothing either.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
      return (
        <Suspense fallback={<BusinessSkeleton />}>
          <BusinessNotFound />
        </Suspense>
      )
    }
    return (
      <div className="py-10">
        <h1 className="sr-only">Business</h1>
        <ErrorState
          title="This business could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      </div>
    )
  }
  return (
    <div className="mx-auto max-w-page px-4 pb-16 sm:px-6 sm:pt-6">
      <BusinessHeader business={business} />
      {/* On a phone: how to reach it, what it offers, what the register says. */}
      <div className="mt-7 grid items-start gap-x-10 gap-y-6 lg:mt-8 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr] lg:gap-y-4">
        <Card asChild className="lg:col-start-2">
          <section aria-label="Contact">
            <CardBody>
              <Title>Contact</Title>
              <div className="grid gap-3">
                <BusinessContact business={business} />
                <BusinessHours business={business} />
              </div>
            </CardBody>
          </section>
        </Card>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <p className={business.description ? 'max-w-text whitespace-pre-line wrap-anywhere' : 'text-muted'}>
            {business.description ?? 'No description available'}
          </p>
          <Events idOrSlug={idOrSlug} />
          <WhenSeen load={loadTabs} fallback={<PartSkeleton />} className="mt-7">
            <BusinessTabs business={business} tab={tab} onTab={onTab} />
          </WhenSeen>
        </div>
        <div className="grid gap-4 lg:col-start-2">
          <Card asChild>
            <section aria-label="License">
              <CardBody>
                <Title>License</Title>
                <WhenSeen load={loadLicense} fallback={<PartSkeleton />}>
                  <LicensePanel business={business} />
                </WhenSeen>
              </CardBody>
            </section>
          </Card>
          {business.pin && (
            <Card>
              <WhenSeen load={loadPlace} fallback={<Skeleton className="h-48" />}>
                <BusinessPlace business={business} />
              </WhenSeen>
            </Card>
          )}
          <OtherLocations business={business} />
        </div>
      </div>
    </div>
  )
}

/** What it invites to, above all that it says and sells; nothing where there is nothing. */
function Events({ idOrSlug }: { idOrSlug: string }) {
  const list = useInfiniteQuery(businessEventsOptions(idOrSlug))
  const isHydrating = useIsHydrating()
  // Where the server had no answer it draws nothing; the browser asks for itself.
  if (list.isError && !list.data && !isHydrating) {
    return (
      <div className="mt-7">
        <RetryLine onRetry={() => void list.refetch()} pending={list.isFetching}>
          The events could not be loaded. {messageOf(list.error)}
        </RetryLine>
      </div>
    )
  }
  if (!list.data?.pages[0]?.items.length) return null
  return (
    <WhenSeen load={loadEvents} fallback={<PartSkeleton />} className="mt-7">
      <BusinessEvents list={list} />
    </WhenSeen>
  )
}

const Title = ({ children }: { children: ReactNode }) => <h2 className="mb-3 text-lg">{children}</h2>
