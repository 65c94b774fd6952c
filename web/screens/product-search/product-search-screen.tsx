import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { SearchFields } from '#web/entities/directory/search-fields.tsx'
import { change, defaultRadius, type ProductSearch } from '#web/entities/product-search/product-params.ts'
import { foundProductsOptions, productCountsOptions } from '#web/entities/product-search/product-search.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useUnits } from '#web/lib/use-units.ts'
import { ProductFilters } from './product-filters.tsx'
import { ProductResults } from './product-results.tsx'
import { countSentence, orderSentence, productHeading } from './result-words.ts'

type ProductSearchScreenProps = {
  search: ProductSearch
  /** Updates the address. `replace` is for typing, so that it doesn't fill the history. */
  onSearch: (search: ProductSearch, options?: { replace: boolean }) => void
}

/** Menu items of the shops near a place. */
export function ProductSearchScreen({ search, onSearch }: ProductSearchScreenProps) {
  const list = useInfiniteQuery({ ...foundProductsOptions(search), placeholderData: (previous) => previous })
  const counts = useQuery(productCountsOptions(search))
  const unit = useUnits().distance
  const found = counts.data ?? null
  const shown = list.isError ? null : found
  const placeError = list.error instanceof ApiError ? (list.error.fields.near ?? null) : null
  return (
    <div className="mx-auto max-w-page px-4 pt-4 pb-12 sm:px-6 sm:pt-6">
      <h1 className="text-xl sm:text-3xl">{productHeading(search, shown)}</h1>
      <p role="status" className="min-h-[1.5em] text-sm text-muted sm:mt-1.5 sm:text-[0.9375rem]">
        {shown && `${countSentence(shown, unit)} `}
        {shown && <span className="max-sm:hidden">{orderSentence(search.sort)}</span>}
      </p>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3 sm:mt-5 sm:gap-4">
        <SearchFields
          of="Products"
          label="Product, brand or strain"
          name="q"
          text={search.q ?? ''}
          near={search.near ?? ''}
          placeError={placeError}
          onText={(text) => onSearch(change(search, { q: text || undefined }), { replace: true })}
          onPlace={(near) => onSearch(change(search, { near: near || undefined }))}
        />
        <ProductFilters
          search={search}
          radiusMiles={search.near === undefined ? null : found ? found.place.radiusMiles : (search.radius ?? defaultRadius)}
          onChange={onSearch}
        />
      </div>
      <div className="mt-4 sm:mt-5">
        <ProductResults search={search} list={list} found={found} onSearch={onSearch} />
      </div>
    </div>
  )
}
