import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Flag } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Business } from '#contracts/businesses.ts'
import type { Product } from '#contracts/menus.ts'
import { ContactButtons } from '#web/entities/businesses/business-contact.tsx'
import { businessStatusOptions } from '#web/entities/businesses/businesses.api.ts'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { productOptions, type productQuery } from '#web/entities/menus/menus.api.ts'
import { MessageButton } from '#web/entities/messages/message-button.tsx'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { SubscribeBenefits, SubscribeButton } from '#web/entities/subscriptions/subscribe-button.tsx'
import { ApiError, isAbsent } from '#web/lib/api-error.ts'
import { distanceText, useUnits } from '#web/lib/units.ts'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { ProductView, ShopHead } from './product-view.tsx'

type ProductScreenProps = { id: string; query: ReturnType<typeof productQuery> }

const frame = 'mx-auto max-w-page px-4 pt-4 pb-16 sm:px-6 sm:pt-6'

export function ProductScreen({ id, query }: ProductScreenProps) {
  const goBack = useGoBack('/discover')
  const { data, error, isPending, isFetching, refetch } = useQuery(productOptions(id, query))
  const { data: locations } = useQuery({
    ...locationsOptions(data?.business.id ?? ''),
    enabled: data !== undefined && query.location !== undefined,
  })
  if (isPending) return <ProductSkeleton />
  if (!data) {
    const back = (
      <Button onClick={goBack}>
        <ArrowLeft aria-hidden="true" />
        Go Back
      </Button>
    )
    if (error instanceof ApiError && error.code === 'age_restricted') {
      return (
        <EmptyState level={1} title="You’re not old enough to see this item" description={error.userMessage}>
          {back}
        </EmptyState>
      )
    }
    // The server responds with 400 if the address can't be an ID.
    if (isAbsent(error)) {
      return (
        <EmptyState level={1} title="Item not found" description="It may no longer be on the menu, or the business may be closed.">
          {back}
          <Button asChild variant="secondary">
            <Link to="/products">See products</Link>
          </Button>
        </EmptyState>
      )
    }
    return (
      <div className="py-10">
        <h1 className="sr-only">Menu item</h1>
        <LoadError title="This item couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </div>
    )
  }
  const { product, business, strainPath } = data
  return (
    <div className={frame}>
      <Button variant="quiet" size="sm" className="-ml-3 mb-2" onClick={goBack}>
        <ArrowLeft aria-hidden="true" />
        Back
      </Button>
      <div className="grid items-start gap-x-10 gap-y-7 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <ProductView
          product={product}
          businessId={business.id}
          location={locations?.find((each) => each.id === query.location)}
          strainPath={strainPath}
        />
        <Card asChild>
          <section aria-label="Shop">
            <CardBody>
              <Shop product={product} business={business} location={query.location} />
            </CardBody>
          </section>
        </Card>
      </div>
    </div>
  )
}

type ItemProps = { product: Product; business: Business }

function Shop({ product, business, location }: ItemProps & { location: string | undefined }) {
  const distance = distanceText(business, useUnits().distance)
  return (
    <div className="grid gap-4">
      <ShopHead business={business} distance={distance}>
        <Link to="/business/$id" params={{ id: business.slug }} search={{ location }} className="hover:underline hover:underline-offset-3">
          {business.name}
        </Link>
      </ShopHead>
      {/* Undoes the buttons' margin, which is meant for a business's page. */}
      <div className="-mt-4 empty:hidden">
        <ContactButtons business={business} />
      </div>
      <Ask product={product} business={business} />
      <SubscriberOffer product={product} business={business} />
      <div className="-mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <Link to="/business/$id" params={{ id: business.slug }} search={{ location }} className={textLink}>
          See the whole menu
        </Link>
        <Report product={product} business={business} />
      </div>
    </div>
  )
}

function Report({ product, business }: ItemProps) {
  const { data: status } = useQuery(businessStatusOptions(business.id))
  const { dialog, open } = useReport('product', product.id, { kind: 'business', id: business.id, name: business.name })
  // The team can remove its own items instead of reporting them.
  if (!status || status.role !== null) return null
  return (
    <>
      <Button variant="quiet" size="sm" className="-mr-3" onClick={open}>
        <Flag aria-hidden="true" />
        Report
      </Button>
      {dialog}
    </>
  )
}

function Ask({ product, business }: ItemProps): ReactNode {
  const { data: status } = useQuery(businessStatusOptions(business.id))
  if (!status) return null
  if (status.role !== null) {
    return (
      <p className="text-muted text-sm">
        You run this business.{' '}
        <Link to="/business-dashboard/menu" search={{ business: business.slug }} className={textLink}>
          Edit this menu
        </Link>
      </p>
    )
  }
  if (status.isBlocked) return <p className="text-muted text-sm">You blocked this business, so you can’t message it.</p>
  if (!business.isClaimed) return <p className="text-muted text-sm">No one runs this business’s page yet, so you can’t message it.</p>
  return (
    <div className="flex flex-wrap gap-2">
      <MessageButton
        key={String(status.isSubscribed)}
        to={{ kind: 'business', id: business.id, name: business.name }}
        text="Ask the shop"
        draft={`About “${product.name}” on your menu: `}
      />
    </div>
  )
}

function SubscriberOffer({ product, business }: ItemProps) {
  const { data: status } = useQuery(businessStatusOptions(business.id))
  const hasOffer = !product.hasMemberPrices && product.variants.some(({ memberPrice }) => memberPrice !== null)
  if (!hasOffer || !business.isClaimed || business.closure || !status || status.role !== null) return null
  if (status.isSubscribed || status.isBlocked) return null
  return (
    <div className="grid justify-items-start gap-2 border-line border-t pt-4">
      <SubscribeBenefits />
      <SubscribeButton business={business} isSubscribed={false} />
    </div>
  )
}

const ProductSkeleton = () => (
  <div className={frame}>
    <SkeletonGroup label="Loading the item..." className="grid items-start gap-8 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <Skeleton className="aspect-square w-full max-w-44 rounded-card sm:max-w-none" />
      <span className="grid gap-5">
        <Skeleton className="h-9 w-3/4 rounded-full" />
        <SkeletonText lines={2} className="w-1/2" />
        <Skeleton className="h-16 w-72 rounded-input" />
        <SkeletonText lines={3} />
      </span>
    </SkeletonGroup>
  </div>
)
