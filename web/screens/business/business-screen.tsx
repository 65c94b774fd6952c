import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Business } from '#contracts/businesses.ts'
import { BusinessContact } from '#web/entities/businesses/business-contact.tsx'
import { businessOptions, pageExtrasOptions } from '#web/entities/businesses/businesses.api.ts'
import { businessEventsOptions } from '#web/entities/events/events.api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { countVisit } from '#web/lib/count-visit.ts'
import { openedAddress, visitSource } from '#web/lib/visit-source.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { RetryLine } from '#web/ui/retry-line.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { WhenSeen } from '#web/ui/when-seen.tsx'
import { BusinessHeader } from './business-header.tsx'
import { BusinessHours, OtherLocations } from './business-hours.tsx'
import type { BusinessTab } from './business-search.ts'
import { BusinessSkeleton, PartSkeleton } from './business-skeleton.tsx'

const BusinessNotFound = lazy(async () => ({ default: (await import('./business-not-found.tsx')).BusinessNotFound }))

const BusinessTabs = lazy(async () => ({ default: (await import('./business-tabs.tsx')).BusinessTabs }))
const LicensePanel = lazy(async () => ({ default: (await import('#web/entities/businesses/license-panel.tsx')).LicensePanel }))
const BusinessEvents = lazy(async () => ({ default: (await import('./business-events.tsx')).BusinessEvents }))
const PageGallery = lazy(async () => ({ default: (await import('./page-gallery.tsx')).PageGallery }))
const SocialLinks = lazy(async () => ({ default: (await import('./social-links.tsx')).SocialLinks }))
const BusinessPlace = lazy(async () => ({ default: (await import('./business-place.tsx')).BusinessPlace }))

type BusinessScreenProps = { idOrSlug: string; tab: BusinessTab; onTab: (tab: BusinessTab) => void }

export function BusinessScreen({ idOrSlug, tab, onTab }: BusinessScreenProps) {
  const { data: business, isPending, error, refetch, isFetching } = useQuery(businessOptions(idOrSlug))
  usePageView(business?.id)
  if (isPending) return <BusinessSkeleton />
  if (!business) {
    // A 400 means the address can't be an id or a slug.
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
      {/* Order on phones: contact, tabs, license. */}
      <div className="mt-7 grid items-start gap-x-10 gap-y-6 lg:mt-8 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr] lg:gap-y-4">
        <Card asChild className="lg:col-start-2">
          <section aria-label="Contact">
            <CardBody>
              <Title>Contact</Title>
              <div className="grid gap-3">
                <BusinessContact business={business} />
                <BusinessHours business={business} />
                <Socials business={business} idOrSlug={idOrSlug} />
              </div>
            </CardBody>
          </section>
        </Card>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <p className={business.description ? 'max-w-text whitespace-pre-line wrap-anywhere' : 'text-muted'}>
            {business.description ?? 'No description available'}
          </p>
          <Photos business={business} idOrSlug={idOrSlug} />
          <Events idOrSlug={idOrSlug} />
          <WhenSeen fallback={<PartSkeleton />} className="mt-7">
            <BusinessTabs business={business} tab={tab} onTab={onTab} />
          </WhenSeen>
        </div>
        <div className="grid gap-4 lg:col-start-2">
          <Card asChild>
            <section aria-label="License">
              <CardBody>
                <Title>License</Title>
                <WhenSeen fallback={<PartSkeleton />}>
                  <LicensePanel business={business} />
                </WhenSeen>
              </CardBody>
            </section>
          </Card>
          {business.pin && (
            <Card>
              <WhenSeen fallback={<Skeleton className="h-48" />}>
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

type PartProps = { business: Business; idOrSlug: string }

/** Photos and video, above the events; renders nothing if there are none. */
function Photos({ business, idOrSlug }: PartProps) {
  const { data, isError, error, refetch, isFetching } = useQuery(pageExtrasOptions(idOrSlug))
  if (isError && !data) {
    return (
      <div className="mt-7">
        <RetryLine onRetry={() => void refetch()} pending={isFetching}>
          The photos could not be loaded. {messageOf(error)}
        </RetryLine>
      </div>
    )
  }
  if (!data?.gallery.length) return null
  return (
    <WhenSeen fallback={<PartSkeleton />} className="mt-7">
      <PageGallery business={business} items={data.gallery} />
    </WhenSeen>
  )
}

function Socials({ business, idOrSlug }: PartProps) {
  const { data } = useQuery(pageExtrasOptions(idOrSlug))
  if (!data?.socialLinks.length) return null
  return (
    <Suspense>
      <SocialLinks name={business.name} links={data.socialLinks} />
    </Suspense>
  )
}

/** Upcoming events, above the tabs; renders nothing if there are none. */
function Events({ idOrSlug }: { idOrSlug: string }) {
  const list = useInfiniteQuery(businessEventsOptions(idOrSlug))
  if (list.isError && !list.data) {
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
    <WhenSeen fallback={<PartSkeleton />} className="mt-7">
      <BusinessEvents list={list} />
    </WhenSeen>
  )
}

const Title = ({ children }: { children: ReactNode }) => <h2 className="mb-3 text-lg">{children}</h2>

/** Counts a page view once the business has loaded. */
function usePageView(businessId: string | undefined): void {
  const router = useRouter()
  // On first render, the router's resolved location is still the previous page.
  const [source] = useState(() => visitSource(router.state.resolvedLocation, openedAddress()))
  useEffect(() => {
    if (businessId) countVisit(businessId, { kind: 'page' }, source)
  }, [businessId, source])
}
