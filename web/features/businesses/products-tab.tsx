import { useInfiniteQuery } from '@tanstack/react-query'
import type { Business } from '../../../contracts/businesses.ts'
import type { Product } from '../../../contracts/menus.ts'
import { ApiError } from '../../lib/api-error.ts'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { productsOptions } from './businesses.api.ts'
import { formatPrice } from './format-price.ts'
import { PagedTab, TabNote } from './tab-states.tsx'

export function ProductsTab({ business }: { business: Business }) {
  const list = useInfiniteQuery(productsOptions(business.id))
  if (list.error instanceof ApiError && list.error.code === 'age_restricted') {
    const { minimumAge, rule } = business.productAge
    return (
      <TabNote title={`Products are shown to people of ${minimumAge} or over.`}>
        {rule} Everything else about this business is open to you.
      </TabNote>
    )
  }
  return (
    <PagedTab
      list={list}
      loadingLabel="Loading products..."
      skeleton={<ProductSkeleton />}
      failure="The products could not be loaded"
      empty={<TabNote title="No products available yet." />}
    >
      {(products) => (
        <ul className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          {products.map((product) => (
            <li key={product.id} className="border-line border-b py-4">
              <ProductRow product={product} />
            </li>
          ))}
        </ul>
      )}
    </PagedTab>
  )
}

function ProductRow({ product: { name, price, currency, category, description, imageUrl, isAvailable } }: { product: Product }) {
  return (
    <article className="flex gap-4">
      {imageUrl && (
        <img
          src={imageUrl}
          alt=""
          width={72}
          height={72}
          loading="lazy"
          decoding="async"
          className="size-18 shrink-0 rounded-input bg-sunk object-cover"
        />
      )}
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="min-w-0 text-base wrap-anywhere">{name}</h3>
          <p className="font-semibold tabular-nums">{formatPrice(price, currency)}</p>
        </div>
        <div className="mt-1 flex flex-wrap items-center gap-2">
          {category && <Badge variant="outline">{category}</Badge>}
          {!isAvailable && <Badge variant="clay">Out of Stock</Badge>}
        </div>
        {description && <p className="mt-2 text-muted text-sm">{description}</p>}
      </div>
    </article>
  )
}

function ProductSkeleton() {
  return (
    <span className="grid gap-2 border-line border-b py-4">
      <Skeleton className="h-5 w-2/5 rounded-full" />
      <SkeletonText lines={2} />
    </span>
  )
}
