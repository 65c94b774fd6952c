import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { Business } from '#contracts/businesses.ts'
import { BusinessContact, ContactButtons } from '#web/entities/businesses/business-contact.tsx'
import { AmenityList, BusinessLogo, SocialLinks } from '#web/entities/businesses/business-extras.tsx'
import { ClosureNotice, MoveNotice } from '#web/entities/businesses/business-notices.tsx'
import { BusinessPicture } from '#web/entities/businesses/business-picture.tsx'
import { businessOptions, businessStatusOptions, pageExtrasOptions } from '#web/entities/businesses/businesses.api.ts'
import { LicenseBadge, OriginBadge } from '#web/entities/businesses/license-badge.tsx'
import { businessEventsOptions } from '#web/entities/events/events.api.ts'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { isAbsent, messageOf } from '#web/lib/api-error.ts'
import { boot } from '#web/lib/boot.ts'
import { countVisit } from '#web/lib/count-visit.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { formatNumber } from '#web/lib/format.ts'
import { openedAddress, visitSource } from '#web/lib/visit-source.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadError, RetryLine } from '#web/ui/error-state.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { WhenSeen } from '#web/ui/when-seen.tsx'
import type { BusinessTab, MenuSearch } from './business-search.ts'
import { ActionsSkeleton, BusinessSkeleton, PartSkeleton } from './business-skeleton.tsx'

const BusinessNotFound = lazy(async () => ({ default: (await import('./business-not-found.tsx')).BusinessNotFound }))

const BusinessTabs = lazy(async () => ({ default: (await import('./business-tabs.tsx')).BusinessTabs }))
const LicensePanel = lazy(async () => ({ default: (await import('#web/entities/businesses/license-panel.tsx')).LicensePanel }))
const BusinessEvents = lazy(async () => ({ default: (await import('./business-sections.tsx')).BusinessEvents }))
const PageGallery = lazy(async () => ({ default: (await import('./business-sections.tsx')).PageGallery }))
const BusinessPlace = lazy(async () => ({ default: (await import('./business-place.tsx')).BusinessPlace }))

type BusinessScreenProps = {
  idOrSlug: string
  tab: BusinessTab
  onTab: (tab: BusinessTab) => void
  menuSearch: MenuSearch
  onMenuSearch: (search: MenuSearch) => void
}

export function BusinessScreen({ idOrSlug, tab, onTab, menuSearch, onMenuSearch }: BusinessScreenProps) {
  const { data: business, isPending, error, refetch, isFetching } = useQuery(businessOptions(idOrSlug))
  const tabs = useRef<HTMLDivElement>(null)
  const isLoaded = business !== undefined
  // The router tried to scroll to the hash before the business had loaded, so scroll now.
  useEffect(() => {
    if (isLoaded && window.location.hash === '#more') tabs.current?.scrollIntoView()
  }, [isLoaded])
  usePageView(business?.id)
  if (isPending) return <BusinessSkeleton />
  if (!business) {
    if (isAbsent(error)) {
      return (
        <Suspense fallback={<BusinessSkeleton />}>
          <BusinessNotFound />
        </Suspense>
      )
    }
    return (
      <div className="py-10">
        <h1 className="sr-only">Business</h1>
        <LoadError title="This business couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </div>
    )
  }
  const goTo = (next: BusinessTab) => {
    if (tab !== next) onTab(next)
    tabs.current?.scrollIntoView()
    tabs.current?.focus({ preventScroll: true })
  }
  return (
    <div className="mx-auto max-w-page px-4 pb-16 sm:px-6 sm:pt-6">
      <BusinessHeader business={business} onGo={goTo} />
      {/* In a single column, contact comes before the tabs, and the license after them. */}
      <div className="mt-7 grid items-start gap-x-10 gap-y-6 lg:mt-8 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr] lg:gap-y-4">
        <Card asChild className="lg:col-start-2">
          <section aria-label="Contact">
            <CardBody>
              <Title>Contact</Title>
              <div className="grid gap-3 pointer-coarse:gap-5.5">
                <BusinessContact business={business} />
                <BusinessHours business={business} />
                <AmenityList amenities={business.amenities} className="border-line border-t pt-3" />
                <Socials business={business} idOrSlug={idOrSlug} />
                <SuggestChange business={business} />
              </div>
            </CardBody>
          </section>
        </Card>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <p className={business.description ? 'max-w-text whitespace-pre-line wrap-anywhere' : 'text-muted'}>
            {business.description ?? 'No description available'}
          </p>
          {/* An unclaimed listing has little to show besides its license. */}
          {!business.isClaimed && (
            <div className="mt-5 grid items-start gap-4 xl:grid-cols-2">
              <Licensing business={business} />
            </div>
          )}
          <Photos business={business} idOrSlug={idOrSlug} />
          <Events idOrSlug={idOrSlug} />
          <div ref={tabs} id="more" tabIndex={-1} className="mt-7 scroll-mt-20 outline-none">
            <WhenSeen fallback={<PartSkeleton />}>
              <BusinessTabs business={business} tab={tab} onTab={onTab} menuSearch={menuSearch} onMenuSearch={onMenuSearch} />
            </WhenSeen>
          </div>
        </div>
        <div className="grid gap-4 lg:col-start-2">
          <Corrections business={business} />
          {business.isClaimed && <Licensing business={business} />}
          <OtherLocations business={business} />
        </div>
      </div>
    </div>
  )
}

const OpenCorrections = lazy(async () => ({ default: (await import('#web/entities/corrections/open-corrections.tsx')).OpenCorrections }))

function Corrections({ business }: { business: Business }) {
  const user = useCurrentUser()
  if (!user) return null
  return (
    <Suspense>
      <OpenCorrections
        business={business}
        hint={business.isClaimed ? 'The owner decides whether to make them.' : 'Do you know this business? Tell us whether they’re right.'}
      />
    </Suspense>
  )
}

function Licensing({ business }: { business: Business }) {
  return (
    <>
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
    </>
  )
}

type PartProps = { business: Business; idOrSlug: string }

function Photos({ business, idOrSlug }: PartProps) {
  const { data, isError, error, refetch, isFetching } = useQuery(pageExtrasOptions(idOrSlug))
  if (isError && !data) {
    return (
      <div className="mt-7">
        <RetryLine onRetry={() => void refetch()} pending={isFetching}>
          The photos couldn’t be loaded. {messageOf(error)}
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
  return <SocialLinks name={business.name} links={data.socialLinks} />
}

function Events({ idOrSlug }: { idOrSlug: string }) {
  const list = useInfiniteQuery(businessEventsOptions(idOrSlug))
  if (list.isError && !list.data) {
    return (
      <div className="mt-7">
        <RetryLine onRetry={() => void list.refetch()} pending={list.isFetching}>
          The events couldn’t be loaded. {messageOf(list.error)}
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

function usePageView(businessId: string | undefined): void {
  const router = useRouter()
  // On first render, the router's resolved location is still the previous page.
  const [source] = useState(() => visitSource(router.state.resolvedLocation, openedAddress()))
  useEffect(() => {
    if (businessId) countVisit(businessId, { kind: 'page' }, source)
  }, [businessId, source])
}

function BusinessHeader({ business, onGo }: { business: Business; onGo: (tab: BusinessTab) => void }) {
  const { name, type, location, averageRating, totalRatings, subscriberCount, logoUrl, menuConfirmedAt } = business
  return (
    <header>
      <div className="overflow-clip border-line max-sm:-mx-4 max-sm:border-b sm:rounded-card sm:border">
        {/* A drawn cover shows nothing of the business, so it's smaller than a photo. */}
        <BusinessPicture
          business={business}
          eager
          className={cx('object-cover', business.imageUrl ? 'h-40 sm:h-60 lg:h-72' : 'h-28 sm:h-40 lg:h-48')}
        />
      </div>
      <div className="mt-5 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0 max-w-text flex-1 basis-80">
          <div className="flex items-center gap-4">
            <BusinessLogo logoUrl={logoUrl} />
            <div className="min-w-0">
              <h1 className="text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
              <p className="mt-1.5 text-muted">
                {businessTypeLabels[type]} · {location ?? 'Location not set'}
              </p>
            </div>
          </div>
          <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
            {totalRatings > 0 ? (
              <button type="button" onClick={() => onGo('reviews')} className="touch-target rounded-tag">
                <Stars rating={averageRating} count={totalRatings} size="md" />
                <span className="sr-only">See the reviews</span>
              </button>
            ) : (
              <Stars rating={averageRating} count={totalRatings} size="md" />
            )}
            {/* No one can subscribe to an unclaimed listing. */}
            {(business.isClaimed || subscriberCount > 0) && (
              <span className="text-muted text-sm tabular-nums">
                {formatNumber(subscriberCount)} {subscriberCount === 1 ? 'subscriber' : 'subscribers'}
              </span>
            )}
            <LicenseBadge business={business} />
            <OriginBadge business={business} />
          </div>
          <ClosureNotice business={business} className="mt-3" />
          <MoveNotice business={business} className="mt-3" />
          {business.openNow && business.timeZone && (
            <p className="mt-2 text-[0.9375rem]">
              <OpenLine location={{ openNow: business.openNow, timeZone: business.timeZone }} />
            </p>
          )}
          {/* In a single column, the menu is far below. */}
          {menuConfirmedAt && !business.closure && (
            <Button onClick={() => onGo('products')} className="mt-4 w-full lg:hidden">
              See the menu
            </Button>
          )}
          <ContactButtons business={business} />
        </div>
        <div className="flex w-full flex-wrap items-center gap-2 max-sm:[&>button:not([aria-label])]:grow max-[24rem]:[&>button:not([aria-label])]:px-3 max-[24rem]:[&>button:not([aria-label])>svg]:hidden lg:w-auto lg:max-w-144 lg:justify-end">
          <BusinessActions business={business} />
        </div>
      </div>
    </header>
  )
}

// Load the code with the page, because rendering waits for a response anyway.
const load = () => import('./member-actions.tsx')
const MemberActions = lazy(load)
if (boot.user) void load().catch(() => undefined)

const BusinessActions = ({ business }: { business: Business }) => (
  <Suspense fallback={<ActionsSkeleton />}>
    <MemberActions business={business} />
  </Suspense>
)

// Loads separately, because the code for hours is large and rendering waits for a response anyway.
const loadDetails = () => import('./location-details.tsx')
const HoursDetails = lazy(async () => ({ default: (await loadDetails()).HoursDetails }))
const OtherLocation = lazy(async () => ({ default: (await loadDetails()).OtherLocation }))

type Shown = Pick<Business, 'id' | 'isClaimed' | 'isDemo' | 'timeZone' | 'closure'>

function BusinessHours({ business }: { business: Shown }) {
  // An unclaimed listing has hours only if members added them, which sets a time zone.
  const hasHours = !business.closure && (business.isClaimed || business.isDemo || business.timeZone !== null)
  const { data: locations, isPending } = useQuery({ ...locationsOptions(business.id), enabled: hasHours })
  if (!hasHours) return null
  const main = locations?.find(({ isMain }) => isMain) ?? locations?.[0]
  return (
    <div className="flex min-h-6 gap-3 text-[0.9375rem]">
      <Clock aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {isPending ? (
          <HoursSkeleton />
        ) : main?.hours ? (
          <Suspense fallback={<HoursSkeleton />}>
            <HoursDetails location={main} />
          </Suspense>
        ) : (
          <span className="text-muted">Hours not listed</span>
        )}
      </div>
    </div>
  )
}

const HoursSkeleton = () => <Skeleton className="mt-1 h-4 w-44 rounded-full" />

/** At the end of its column, because it loads later than the rest. */
function OtherLocations({ business }: { business: Shown }) {
  const { data: locations = [] } = useQuery({ ...locationsOptions(business.id), enabled: business.isClaimed || business.isDemo })
  const others = locations.filter(({ isMain }) => !isMain)
  if (others.length === 0) return null
  return (
    <Suspense>
      <Card asChild>
        <section aria-label="Other locations">
          <CardBody>
            <h2 className="mb-1 text-lg">{others.length === 1 ? '1 other location' : `${formatNumber(others.length)} other locations`}</h2>
            <ul>
              {others.map((location) => (
                <li key={location.id} className="border-line py-3 not-first:border-t last:pb-0">
                  <OtherLocation location={location} isClosed={business.closure !== null} />
                </li>
              ))}
            </ul>
          </CardBody>
        </section>
      </Card>
    </Suspense>
  )
}

const SuggestChangeDialog = lazyDialog(async () => (await import('./suggest-change.tsx')).SuggestChangeDialog)

/** The team doesn't see this, because owners and managers edit the page in the dashboard. */
function SuggestChange({ business }: { business: Business }) {
  const user = useCurrentUser()
  const { data: status } = useQuery({ ...businessStatusOptions(business.id), enabled: user !== null })
  const [isOpen, setOpen] = useState(false)
  if (!status || status.role !== null || status.isBlocked || business.isDemo) return null
  return (
    <p className="border-line border-t pt-3 text-muted text-sm">
      Is something wrong?{' '}
      <button type="button" onClick={() => setOpen(true)} className={`${textLink} touch-target`}>
        Suggest a change
      </button>
      {isOpen && <SuggestChangeDialog business={business} open onOpenChange={setOpen} />}
    </p>
  )
}
