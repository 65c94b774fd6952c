import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import type { Location } from '../../../contracts/locations.ts'
import type { Product, ProductCategory } from '../../../contracts/menus.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { Input } from '../../ui/input.tsx'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { locationsOptions } from '../locations/locations.api.ts'
import { Confirmed, useIsStale } from './confirmed.tsx'
import { groupProducts } from './group-products.ts'
import { menuOptions, type ProductsQuery, productsOptions } from './menus.api.ts'
import { ProductCard } from './product-card.tsx'
import { useCalmText } from './use-calm-text.ts'

type Filter = { category: ProductCategory | null; text: string; location: string | null }

type ShopMenuProps = {
  business: Pick<Business, 'id' | 'type'>
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
  const { data: locations = [] } = useQuery(locationsOptions(business.id))
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
          {(products) => <Groups products={products} business={business} counts={menu?.categories ?? []} isSearched={q !== ''} />}
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
  const isStale = useIsStale(menu?.confirmedAt ?? null)
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
        )}
      </div>
      {menu && menu.categories.length > 1 && (
        <fieldset className="-mx-4 flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0">
          <legend className="sr-only">Category</legend>
          <Chip pressed={filter.category === null} onClick={() => onFilter({ ...filter, category: null })}>
            All <span className="opacity-70 tabular-nums">{menu.itemCount.toLocaleString('en-US')}</span>
          </Chip>
          {menu.categories.map(({ category, itemCount }) => (
            <Chip key={category} pressed={filter.category === category} onClick={() => onFilter({ ...filter, category })}>
              {category} <span className="opacity-70 tabular-nums">{itemCount.toLocaleString('en-US')}</span>
            </Chip>
          ))}
        </fieldset>
      )}
      {/* Its place is kept while it comes. */}
      <p className="flex min-h-5 flex-wrap items-center gap-x-2 text-muted text-sm">
        {menu?.confirmedAt && <Confirmed at={menu.confirmedAt} className="text-sm!" />}
        {isStale && <span>Prices and stock may have changed: ask before you go.</span>}
        {toEditor}
      </p>
    </div>
  )
}

type GroupsProps = { products: Product[]; business: Pick<Business, 'id' | 'type'>; counts: Menu['categories']; isSearched: boolean }

function Groups({ products, business, counts, isSearched }: GroupsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {groupProducts(products).map(({ category, products: members }) => {
        const count = counts.find((each) => each.category === category)?.itemCount
        return (
          <section key={category} aria-label={category}>
            <h3 className="flex items-baseline gap-2.5 border-line border-b pb-2 text-lg">
              {category}
              {!isSearched && count !== undefined && (
                <span className="font-normal font-text text-muted text-sm tabular-nums">
                  {count.toLocaleString('en-US')} {count === 1 ? 'item' : 'items'}
                </span>
              )}
            </h3>
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-x-8 md:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
              {members.map((product) => (
                <li key={product.id} className="border-line border-b py-4">
                  <ProductCard product={product} business={business} />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

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
