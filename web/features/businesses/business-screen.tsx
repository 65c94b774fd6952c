import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { BusinessHours, OtherLocations } from '../locations/business-hours.tsx'
import { BusinessContact } from './business-contact.tsx'
import { BusinessHeader } from './business-header.tsx'
import { BusinessPlace } from './business-place.tsx'
import type { BusinessTab } from './business-search.ts'
import { BusinessSkeleton } from './business-skeleton.tsx'
import { businessOptions } from './businesses.api.ts'
import { LicensePanel } from './license-panel.tsx'
import { ProductsTab } from './products-tab.tsx'
import { usePageView } from './use-page-view.ts'

const BusinessNotFound = lazy(async () => ({ default: (await import('./business-not-found.tsx')).BusinessNotFound }))
// Most come for the menu; each of the others brings what it needs when it is opened.
const PostsTab = lazy(async () => ({ default: (await import('./posts-tab.tsx')).PostsTab }))
const ReviewsTab = lazy(async () => ({ default: (await import('../reviews/reviews-tab.tsx')).ReviewsTab }))
const BusinessToolsTab = lazy(async () => ({ default: (await import('./business-tools-tab.tsx')).BusinessToolsTab }))

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
          <BusinessTabs business={business} tab={tab} onTab={onTab} />
        </div>
        <div className="grid gap-4 lg:col-start-2">
          <Card asChild>
            <section aria-label="License">
              <CardBody>
                <Title>License</Title>
                <LicensePanel business={business} />
              </CardBody>
            </section>
          </Card>
          {business.pin && (
            <Card>
              <BusinessPlace business={business} />
            </Card>
          )}
          <OtherLocations business={business} />
        </div>
      </div>
    </div>
  )
}

const TabSkeleton = () => <Skeleton className="h-40 w-full rounded-card" />

const Title = ({ children }: { children: ReactNode }) => <h2 className="mb-3 text-lg">{children}</h2>

function BusinessTabs({ business, tab, onTab }: { business: Business; tab: BusinessTab; onTab: (tab: BusinessTab) => void }) {
  const tabs = useRef<HTMLDivElement>(null)
  // The router looked for the address's place before the business was there.
  useEffect(() => {
    if (window.location.hash === '#more') tabs.current?.scrollIntoView()
  }, [])
  return (
    <Tabs ref={tabs} value={tab} onValueChange={(value) => onTab(value as BusinessTab)} id="more" className="mt-7">
      <TabList className="max-sm:gap-1.5" aria-label={`More about ${business.name}`}>
        <Tab value="products">Products</Tab>
        <Tab value="posts">Posts</Tab>
        <Tab value="reviews">Reviews</Tab>
        <Tab value="tools">Business Tools</Tab>
      </TabList>
      <TabPanel value="products">
        <h2 className="sr-only">Products</h2>
        <ProductsTab business={business} />
      </TabPanel>
      <TabPanel value="posts">
        <h2 className="sr-only">Posts</h2>
        <Suspense fallback={<TabSkeleton />}>
          <PostsTab business={business} />
        </Suspense>
      </TabPanel>
      <TabPanel value="reviews">
        <h2 className="sr-only">Reviews</h2>
        <Suspense fallback={<TabSkeleton />}>
          <ReviewsTab business={business} />
        </Suspense>
      </TabPanel>
      <TabPanel value="tools">
        <h2 className="sr-only">Business Tools</h2>
        <Suspense fallback={<TabSkeleton />}>
          <BusinessToolsTab business={business} />
        </Suspense>
      </TabPanel>
    </Tabs>
  )
}
