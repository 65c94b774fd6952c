import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FoundProduct } from '#contracts/product-search.endpoints.ts'
import { radiusWords } from '#web/entities/directory/distance-text.ts'
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
import { useUnits } from '#web/lib/use-units.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { MorePages } from '#web/ui/paged-list.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { FoundProductCard, FoundProductSkeleton } from './found-product-card.tsx'
import { emptyReason } from './result-words.ts'

type ResultsProps = {
  search: ProductSearch
  list: UseInfiniteQueryResult<InfiniteData<ListPage<FoundProduct>>>
  found: ProductCounts | null
  onSearch: (search: ProductSearch) => void
}

const grid = 'grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 md:gap-5'

export function ProductResults({ search, list, found, onSearch }: ResultsProps) {
  if (search.near === undefined) {
    return <EmptyState title="Where are you?" description="Enter a city or ZIP code to see what shops there have." />
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
  if (error instanceof ApiError && error.fields.near) {
    return <EmptyState title="We don’t know this place" description={`“${search.near}” isn’t a city, state or ZIP code that we know.`} />
  }
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
      {/* Dimmed while loading: these results are from the previous search. */}
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
      {wider && <Button onClick={() => onSearch(change(search, { radius: wider }))}>Search within {radiusWords(wider, unit)}</Button>}
      {isFiltered(search) && (
        <Button variant={wider ? 'secondary' : 'primary'} onClick={() => onSearch(withoutFilters(search))}>
          Clear filters
        </Button>
      )}
      {/* It tolerates typos, and looks beyond products. */}
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
