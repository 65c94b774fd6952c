import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Business } from '#contracts/businesses.ts'
import type { Location } from '#contracts/locations.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { menuOptions, type ProductsQuery, productsOptions } from '#web/entities/menus/menus.api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { Input } from '#web/ui/input.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

const loadGroups = () => import('./product-groups.tsx')
const ProductGroups = lazy(loadGroups)
const MenuAge = lazy(async () => ({ default: (await import('./product-groups.tsx')).MenuAge }))
const Select = lazy(async () => ({ default: (await import('#web/ui/select.tsx')).Select }))

type Filter = { category: ProductCategory | null; text: string; location: string | null }

type ShopMenuProps = {
  business: Pick<Business, 'id' | 'type' | 'isClaimed' | 'isDemo'>
  /** Link to the editor, for people who can edit the menu. */
  toEditor?: ReactNode
}

/** A menu for shoppers: grouped by category, searchable, by location, with its age. */
export function ShopMenu({ business, toEditor }: ShopMenuProps) {
  const [filter, setFilter] = useState<Filter>({ category: null, text: '', location: null })
  const q = useDebounced(filter.text.trim()).slice(0, 120)
  const query: ProductsQuery = {
    ...(filter.category && { category: filter.category }),
    ...(filter.location && { location: filter.location }),
    ...(q && { q }),
  }
  // Keep the previous results while loading, to avoid layout shift during typing.
  const list = useInfiniteQuery({ ...productsOptions(business.id, query), placeholderData: keepPreviousData })
  const menu = useQuery({ ...menuOptions(business.id, filter.location ?? undefined), placeholderData: keepPreviousData }).data
  const { data: locations = [] } = useQuery(locationsOptions(business.id))
  // Load the code alongside the response. Unclaimed businesses have no menu.
  const isMaintained = business.isClaimed || business.isDemo
  useEffect(() => {
    if (isMaintained) loadGroups().catch(() => undefined)
  }, [isMaintained])
  const isNarrowed = filter.category !== null || q !== ''
  const isEmptyMenu = !isNarrowed && filter.location === null && list.data?.pages[0]?.items.length === 0
  const showAll = () => setFilter((before) => ({ ...before, category: null, text: '' }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {!isEmptyMenu && (
        <MenuHead filter={filter} onFilter={setFilter} menu={menu} locations={locations.length > 1 ? locations : []} toEditor={toEditor} />
      )}
      <div className={cx('transition-opacity', list.isPlaceholderData && 'opacity-60')} aria-busy={list.isPlaceholderData}>
        <PagedList
          list={list}
          loadingLabel="Loading products..."
          skeleton={<ProductSkeleton />}
          failure="The products couldn’t be loaded"
          empty={
            isNarrowed ? (
              <div className="grid justify-items-center gap-3 rounded-card border border-line border-dashed px-5 py-10 text-center">
                <p className="font-medium">No items on this menu match.</p>
                <Button variant="secondary" onClick={showAll}>
                  Show the whole menu
                </Button>
              </div>
            ) : (
              <ListNote title="No products available yet.">{toEditor}</ListNote>
            )
          }
        >
          {(products) => (
            <Suspense fallback={<ProductsSkeleton />}>
              <ProductGroups products={products} business={business} counts={menu?.categories ?? []} isSearched={q !== ''} />
            </Suspense>
          )}
        </PagedList>
      </div>
    </div>
  )
}

type Menu = { itemCount: number; categories: { category: ProductCategory; itemCount: number }[]; confirmedAt: string | null }

type MenuHeadProps = {
  filter: Filter
  onFilter: (filter: Filter) => void
  menu: Menu | undefined
  locations: readonly Location[]
  toEditor: ReactNode
}

function MenuHead({ filter, onFilter, menu, locations, toEditor }: MenuHeadProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Input
          type="search"
          aria-label="Search this menu"
          placeholder="Search this menu"
          autoComplete="off"
          maxLength={120}
          start={<Search aria-hidden="true" />}
          value={filter.text}
          onChange={(event) => onFilter({ ...filter, text: event.target.value })}
          className="min-w-48 flex-1"
        />
        {locations.length > 0 && (
          <Suspense>
            <Select
              aria-label="Location"
              value={filter.location ?? ''}
              onChange={(event) => onFilter({ ...filter, location: event.target.value || null, category: null })}
              className="min-w-40 max-sm:flex-1 sm:max-w-56"
            >
              <option value="">All locations</option>
              {locations.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Suspense>
        )}
      </div>
      {menu && menu.categories.length > 1 && (
        <fieldset className="-mx-4 flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0">
          <legend className="sr-only">Category</legend>
          <Chip pressed={filter.category === null} onClick={() => onFilter({ ...filter, category: null })}>
            All <span className="opacity-70 tabular-nums">{formatNumber(menu.itemCount)}</span>
          </Chip>
          {menu.categories.map(({ category, itemCount }) => (
            <Chip key={category} pressed={filter.category === category} onClick={() => onFilter({ ...filter, category })}>
              {category} <span className="opacity-70 tabular-nums">{formatNumber(itemCount)}</span>
            </Chip>
          ))}
        </fieldset>
      )}
      {/* Reserves space while loading. */}
      <p className="flex min-h-5 flex-wrap items-center gap-x-2 text-muted text-sm">
        {menu?.confirmedAt && (
          <Suspense>
            <MenuAge at={menu.confirmedAt} />
          </Suspense>
        )}
        {toEditor}
      </p>
    </div>
  )
}

/** Matches the list's own loading state. */
const ProductsSkeleton = () => (
  <SkeletonGroup label="Loading products..." className="grid gap-4">
    <ProductSkeleton />
    <ProductSkeleton />
    <ProductSkeleton />
  </SkeletonGroup>
)

const ProductSkeleton = () => (
  <span className="flex gap-4 border-line border-b py-4">
    <Skeleton className="size-20 shrink-0 sm:size-24" />
    <span className="grid flex-1 content-start gap-2.5 pt-1">
      <Skeleton className="h-5 w-2/5 rounded-full" />
      <Skeleton className="h-4 w-3/5 rounded-full" />
      <Skeleton className="h-5 w-24 rounded-full" />
    </span>
  </span>
)
