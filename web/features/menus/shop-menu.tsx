// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import type { Location } from '../../../contracts/locations.ts'
import type { ProductCategory } from '../../../contracts/menus.ts'
import { formatNumber } from '../../lib/format.ts'
import { useIsHydrating } from '../../lib/use-is-hydrating.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { Input } from '../../ui/input.tsx'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { locationsOptions } from '../locations/locations.api.ts'
import { menuOptions, type ProductsQuery, productsOptions } from './menus.api.ts'
import { useCalmText } from './use-calm-text.ts'

const loadGroups = () => import('./product-groups.tsx')
const ProductGroups = lazy(loadGroups)
const MenuAge = lazy(async () => ({ default: (await import('./menu-age.tsx')).MenuAge }))
const Select = lazy(async () => ({ default: (await import('../../ui/select.tsx')).Select }))

type Filter = { category: ProductCategory | null; text: string; location: string | null }

type ShopMenuProps = {
  business: Pick<Business, 'id' | 'type' | 'isClaimed' | 'isDemo'>
  /** The way to the editor, for those who keep this menu. */
  toEditor?: ReactNode
}

/** A menu as shoppers see it: by category, searchable, at one location or all, and how old it is. */
export function ShopMenu({ business, toEditor }: ShopMenuProps) {
  const [filter, setFilter] = useState<Filter>({ category: null, text: '', location: null })
  const q = useCalmText(filter.text.trim()).slice(0, 120)
  const query: ProductsQuery = {
    ...(filter.category && { category: filter.category }),
    ...(filter.location && { location: filter.location }),
    ...(q && { q }),
  }
  // The list of before stands until the one that was asked for comes: nothing jumps while somebody types.
  const list = useInfiniteQuery({ ...productsOptions(business.id, query), placeholderData: keepPreviousData })
  const menu = useQuery({ ...menuOptions(business.id, filter.location ?? undefined), placeholderData: keepPreviousData }).data
  const { data: known = [] } = useQuery(locationsOptions(business.id))
  // Others on the page have asked for them by the time the app comes to this part of the HTML.
  const locations = useIsHydrating() ? [] : known
  // They wait for an answer anyway: their code comes at the same time, where an answer may have some. Nobody keeps the menu of an unclaimed one.
  const isKept = business.isClaimed || business.isDemo
  useEffect(() => {
    if (isKept) loadGroups().catch(() => undefined)
  }, [isKept])
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
          failure="The products could not be loaded"
          empty={
            isNarrowed ? (
              <div className="grid justify-items-center gap-3 rounded-card border border-line border-dashed px-5 py-10 text-center">
                <p className="font-medium">Nothing on this menu matches.</p>
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
      {/* Its place is kept while it comes. */}
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

/** As the list shows while it is on its way. */
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
