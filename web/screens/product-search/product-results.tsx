import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ProductSort } from '#contracts/menu-fields.rules.ts'
import type { Product, ProductVariant } from '#contracts/menus.ts'
import type { FoundProduct } from '#contracts/product-search.endpoints.ts'
import { LicenseBadge } from '#web/entities/businesses/license-badge.tsx'
import { isPoint } from '#web/entities/directory/discover-search.ts'
import { PlaceNotFound } from '#web/entities/directory/search-fields.tsx'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { ProductPicture } from '#web/entities/menus/product-picture.tsx'
import {
  kindWords,
  lowestSize,
  makerWords,
  perGramWords,
  pricesOf,
  shortPrice,
  taxWords,
  weightWords,
} from '#web/entities/menus/product-words.ts'
import {
  change,
  defaultRadius,
  isFiltered,
  type ProductSearch,
  productRadii,
  withoutFilters,
} from '#web/entities/product-search/product-params.ts'
import type { ProductCounts } from '#web/entities/product-search/product-search.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { ListPage } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { counted } from '#web/lib/format.ts'
import { distanceText, formatRadius, type Units, useUnits } from '#web/lib/units.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { MorePages } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'

type ResultsProps = {
  search: ProductSearch
  list: UseInfiniteQueryResult<InfiniteData<ListPage<FoundProduct>>>
  found: ProductCounts | null
  onSearch: (search: ProductSearch) => void
}

const grid = 'grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 md:gap-5'

export function ProductResults({ search, list, found, onSearch }: ResultsProps) {
  if (search.near === undefined) {
    return <EmptyState title="Where are you?" description="Enter a city or ZIP code to see what shops there carry." />
  }
  if (list.isPending) {
    return (
      <SkeletonGroup label="Loading products..." className={grid}>
        {[1, 2, 3, 4, 5, 6].map((card) => (
          <FoundProductSkeleton key={card} />
        ))}
      </SkeletonGroup>
    )
  }
  const { error } = list
  if (error instanceof ApiError && error.code === 'age_restricted') {
    return (
      <EmptyState title="You’re not old enough to see products here" description={error.userMessage}>
        <Button asChild>
          <Link to="/discover" search={{ near: search.near }}>
            See the shops
          </Link>
        </Button>
      </EmptyState>
    )
  }
  if (error instanceof ApiError && error.fields.near) return <PlaceNotFound near={search.near} />
  if (!list.data || (list.isError && list.isPlaceholderData)) {
    return (
      <Card>
        <LoadError title="The products couldn’t be loaded" query={list} />
      </Card>
    )
  }
  const products = list.data.pages.flatMap(({ items }) => items)
  if (products.length === 0) return <Nothing search={search} found={found} onSearch={onSearch} />
  return (
    <>
      {/* Dimmed while loading, because these results are from the previous search. */}
      <ul aria-busy={list.isPlaceholderData} className={cx(grid, 'transition-opacity', list.isPlaceholderData && 'opacity-60')}>
        {products.map((each) => (
          <li key={each.product.id} className="min-w-0">
            <FoundProductCard found={each} />
          </li>
        ))}
      </ul>
      <MorePages list={list} />
      {found?.productAge && !list.hasNextPage && <HiddenByAge minimumAge={found.productAge} />}
    </>
  )
}

const HiddenByAge = ({ minimumAge }: { minimumAge: number }) => (
  <p className="pt-4 text-center text-muted text-sm">Some shops here show products only to people {minimumAge} or older.</p>
)

function Nothing({ search, found, onSearch }: Omit<ResultsProps, 'list'>) {
  const unit = useUnits().distance
  const radius = found?.place.radiusMiles ?? search.radius ?? defaultRadius
  const wider = found?.place.radiusMiles === null ? undefined : productRadii.find((miles) => miles > radius)
  return (
    <EmptyState title="No products found" description={emptyReason(search, found, unit)}>
      {wider && <Button onClick={() => onSearch(change(search, { radius: wider }))}>Search within {formatRadius(wider, unit)}</Button>}
      {isFiltered(search) && (
        <Button variant={wider ? 'secondary' : 'primary'} onClick={() => onSearch(withoutFilters(search))}>
          Clear filters
        </Button>
      )}
      {/* Unlike this list, the search page isn't limited to products. */}
      {search.q && (
        <Button asChild variant="secondary">
          <Link to="/search" search={{ q: search.q }}>
            Search everything
          </Link>
        </Button>
      )}
      {found?.productAge && <HiddenByAge minimumAge={found.productAge} />}
    </EmptyState>
  )
}

/** The whole card links to the item, but the shop's name links to the shop. */
function FoundProductCard({ found: { product, shop, isDeal } }: { found: FoundProduct }) {
  const { name, isAvailable, confirmedAt } = product
  const maker = makerWords(product)
  const kind = kindWords(product)
  const distance = distanceText(shop, useUnits().distance)
  return (
    <Card asChild interactive className="h-full">
      <article className="flex gap-4 p-4">
        <ProductPicture product={product} className={cx('size-20 sm:size-24', !isAvailable && 'opacity-60 grayscale')} />
        <div className="grid min-w-0 flex-1 content-start gap-1">
          <div className="flex items-start justify-between gap-3">
            <h2 className="min-w-0 pt-px font-semibold font-text text-base tracking-normal wrap-anywhere">
              <Link to="/product/$id" params={{ id: product.id }} className={cardLink}>
                {name}
              </Link>
            </h2>
            {isAvailable ? isDeal && <Badge variant="leaf">Deal</Badge> : <Badge variant="clay">Out of Stock</Badge>}
          </div>
          {maker && <p className="text-muted text-sm wrap-anywhere">{maker}</p>}
          {kind.length > 0 && <p className="text-sm tabular-nums">{kind.join(' · ')}</p>}
          <Price product={product} isDeal={isDeal} />
          {isDeal && <SaleSize product={product} />}
          <div className="mt-2 grid gap-1 border-line border-t pt-2 text-sm">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Link
                to="/business/$id"
                params={{ id: shop.slug }}
                className="touch-target relative z-1 font-medium wrap-anywhere hover:underline hover:underline-offset-3"
              >
                {shop.name}
              </Link>
              <span className="text-muted">{[distance, shop.location].filter(Boolean).join(' · ')}</span>
            </p>
            {shop.openNow && shop.timeZone && (
              <p>
                <OpenLine location={{ openNow: shop.openNow, timeZone: shop.timeZone }} />
              </p>
            )}
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <Confirmed at={confirmedAt} />
              <LicenseBadge business={shop} />
              {shop.isDemo && <Badge variant="neutral">Demo</Badge>}
            </p>
          </div>
        </div>
      </article>
    </Card>
  )
}

/** Shows the cheapest size's price. Where prices may not be advertised, a sale price looks like any other. */
function Price({ product, isDeal }: Pick<FoundProduct, 'product' | 'isDeal'>) {
  const mass = useCurrentUser()?.preferences.mass
  const { category, currency, variants, hasMemberPrices } = product
  const size = lowestSize(product)
  const { paid, regular, isSale } = pricesOf(size, hasMemberPrices)
  const showsRegular = regular !== null && (!isSale || isDeal)
  const weight = weightWords(size, mass, category)
  const facts = [weight, weight && listedPerGram(product, size), taxWords(product)]
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
      <span className="font-semibold text-lg">
        {variants.length > 1 && <span className="font-normal text-muted text-sm">from </span>}
        {isSale && isDeal && <span className="sr-only">Sale price </span>}
        {shortPrice(paid, currency)}
      </span>
      {showsRegular && (
        <s className="text-muted text-sm">
          <span className="sr-only">Regular price </span>
          {shortPrice(regular, currency)}
        </s>
      )}
      <span className="text-muted text-sm">{facts.filter(Boolean).join(' · ')}</span>
      {!isSale && regular !== null && <span className="text-leaf text-xs">Your subscriber price</span>}
    </p>
  )
}

/** The listed size's price per gram, or a lower one of another size with a note. */
export function listedPerGram(
  product: Pick<Product, 'category' | 'variants' | 'hasMemberPrices' | 'currency'>,
  size: ProductVariant,
): string | null {
  const lowest = perGramWords(product)
  const own = perGramWords({ ...product, variants: [size] })
  return lowest === null || lowest === own || lowest === `from ${own}` ? own : `other sizes ${lowest}`
}

function SaleSize({ product }: Pick<FoundProduct, 'product'>) {
  const mass = useCurrentUser()?.preferences.mass
  const { category, currency, hasMemberPrices, variants } = product
  const onSale = variants.filter(({ isAvailable, salePrice }) => isAvailable && salePrice !== null)
  if (onSale.length === 0 || onSale.includes(lowestSize(product))) return null
  const size = lowestSize({ variants: onSale, hasMemberPrices })
  const { paid, regular } = pricesOf(size, hasMemberPrices)
  return (
    <p className="text-sm tabular-nums">
      <span className="text-leaf">On sale: </span>
      {[weightWords(size, mass, category), shortPrice(paid, currency)].filter(Boolean).join(' for ')}{' '}
      {regular && (
        <s className="text-muted">
          <span className="sr-only">Regular price </span>
          {shortPrice(regular, currency)}
        </s>
      )}
    </p>
  )
}

const FoundProductSkeleton = () => (
  <span className="flex gap-4 rounded-card border border-line bg-surface p-4">
    <Skeleton className="size-20 rounded-input sm:size-24" />
    <span className="grid flex-1 content-start gap-3">
      <Skeleton className="h-5 w-3/5 rounded-full" />
      <Skeleton className="h-6 w-2/5 rounded-full" />
      <SkeletonText lines={3} />
    </span>
  </span>
)

type Found = Pick<ProductCounts, 'place' | 'itemCount' | 'shopCount'>

/** "Products near Denver, CO". `found` is null while loading. */
export function productHeading({ near }: ProductSearch, found: Pick<Found, 'place'> | null): string {
  if (near === undefined) return 'Products near you'
  if (isPoint(near)) return 'Products near your location'
  if (found) return `Products ${found.place.radiusMiles === null ? 'in' : 'near'} ${found.place.label}`
  // Suggested places have the server's format.
  return /, [A-Z]{2}$/.test(near) ? `Products near ${near}` : 'Products'
}

/** "214 items in 32 shops within 25 miles." */
export function countSentence({ itemCount, shopCount, place }: Found, unit: Units['distance']): string {
  const where = place.radiusMiles === null ? '' : ` within ${formatRadius(place.radiusMiles, unit)}`
  return itemCount === 0 ? `No items${where}.` : `${counted(itemCount, 'item')} in ${counted(shopCount, 'shop')}${where}.`
}

export const sortTexts: Record<ProductSort, string> = {
  nearest: 'Nearest',
  price: 'Price',
  price_per_gram: 'Price per gram',
  potency: 'Potency',
}

const orders: Record<ProductSort, string> = {
  nearest: 'Nearest first, three items per shop at a time.',
  price: 'Lowest price first.',
  price_per_gram: 'Lowest price per gram first.',
  potency: 'Highest THC first, as labeled.',
}

/** Stale items come last, because their price and stock may be wrong. */
export const orderSentence = (sort: ProductSort = 'nearest'): string => `${orders[sort]} Items not confirmed for a week come last.`

export function emptyReason({ q, near, radius = defaultRadius }: ProductSearch, found: Found | null, unit: Units['distance']): string {
  const what = q ? `Nothing matches “${q}”` : 'Nothing matches these filters'
  if (near === undefined) return `${what}.`
  if (found?.place.radiusMiles === null) return `${what} in ${found.place.label}.`
  const place = isPoint(near) ? 'your location' : (found?.place.label ?? near)
  return `${what} within ${formatRadius(found?.place.radiusMiles ?? radius, unit)} of ${place}.`
}
