import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'
import type { Business } from '#contracts/businesses.ts'
import type { getMenu } from '#contracts/calls/menus.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Location } from '#contracts/locations.ts'
import { businessStatusOptions } from '#web/entities/businesses/businesses.api.ts'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { menuOptions, productsOptions } from '#web/entities/menus/menus.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { useAddressText } from '#web/lib/use-address-text.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Input } from '#web/ui/input.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import type { BusinessTab, MenuSearch } from './business-search.ts'
import { PartSkeleton } from './business-skeleton.tsx'

// Most visitors come for the menu; the other tabs load when opened.
const PostsTab = lazy(async () => ({ default: (await import('./posts-tab.tsx')).PostsTab }))
const ReviewsTab = lazy(async () => ({ default: (await import('./reviews-tab.tsx')).ReviewsTab }))
const BusinessToolsTab = lazy(async () => ({ default: (await import('./business-tools-tab.tsx')).BusinessToolsTab }))

type BusinessTabsProps = ProductsTabProps & { tab: BusinessTab; onTab: (tab: BusinessTab) => void }

export function BusinessTabs({ business, tab, onTab, menuSearch, onMenuSearch }: BusinessTabsProps) {
  return (
    <Tabs value={tab} onValueChange={(value) => onTab(value as BusinessTab)}>
      <TabList className="max-sm:gap-1.5" aria-label={`More about ${business.name}`}>
        <Tab value="products">Products</Tab>
        <Tab value="posts">Posts</Tab>
        <Tab value="reviews">Reviews</Tab>
        <Tab value="tools">Business Tools</Tab>
      </TabList>
      <TabPanel value="products">
        <h2 className="sr-only">Products</h2>
        <ProductsTab business={business} menuSearch={menuSearch} onMenuSearch={onMenuSearch} />
      </TabPanel>
      <TabPanel value="posts">
        <h2 className="sr-only">Posts</h2>
        <Suspense fallback={<PartSkeleton />}>
          <PostsTab business={business} />
        </Suspense>
      </TabPanel>
      <TabPanel value="reviews">
        <h2 className="sr-only">Reviews</h2>
        <Suspense fallback={<PartSkeleton />}>
          <ReviewsTab business={business} />
        </Suspense>
      </TabPanel>
      <TabPanel value="tools">
        <h2 className="sr-only">Business Tools</h2>
        <Suspense fallback={<PartSkeleton />}>
          <BusinessToolsTab business={business} />
        </Suspense>
      </TabPanel>
    </Tabs>
  )
}

type ProductsTabProps = { business: Business; menuSearch: MenuSearch; onMenuSearch: (search: MenuSearch) => void }

function ProductsTab({ business, menuSearch, onMenuSearch }: ProductsTabProps) {
  const { error } = useInfiniteQuery({ ...productsOptions(business.id, menuSearch), enabled: !business.closure })
  const user = useCurrentUser()
  const { data: status } = useQuery({ ...businessStatusOptions(business.id), enabled: user !== null })
  const runsIt = (status?.role ?? null) !== null
  if (error instanceof ApiError && error.code === 'age_restricted') {
    const { minimumAge, rule } = business.productAge
    return (
      <ListNote title={`Products are shown to people ${minimumAge} or older.`}>
        {rule} You can see everything else about this business.
      </ListNote>
    )
  }
  const toEditor = runsIt && (
    <Link to="/business-dashboard/menu" search={{ business: business.slug }} className={textLink}>
      Edit this menu
    </Link>
  )
  if (business.closure) return <ListNote title="Prices aren’t shown while the business is closed.">{toEditor}</ListNote>
  return <ShopMenu business={business} search={menuSearch} onSearch={onMenuSearch} toEditor={toEditor} />
}

const loadGroups = () => import('./product-groups.tsx')
const ProductGroups = lazy(loadGroups)
const MenuAge = lazy(async () => ({ default: (await import('./product-groups.tsx')).MenuAge }))
const MenuFilters = lazy(async () => ({ default: (await import('./menu-filters.tsx')).MenuFilters }))
const Select = lazy(async () => ({ default: (await import('#web/ui/select.tsx')).Select }))

type ShopMenuProps = {
  business: Pick<Business, 'id' | 'isClaimed' | 'isDemo'>
  search: MenuSearch
  onSearch: (search: MenuSearch) => void
  toEditor?: ReactNode
}

function ShopMenu({ business, search, onSearch, toEditor }: ShopMenuProps) {
  const { location, sort, ...narrowing } = search
  // Show the previous results while loading, to avoid layout shift while someone types.
  const list = useInfiniteQuery({ ...productsOptions(business.id, search), placeholderData: keepPreviousData })
  const menu = useQuery({ ...menuOptions(business.id, location), placeholderData: keepPreviousData }).data
  const { data: locations = [] } = useQuery(locationsOptions(business.id))
  // Load the code in parallel with the response. Unclaimed businesses don't have a menu.
  const isMaintained = business.isClaimed || business.isDemo
  useEffect(() => {
    if (isMaintained) loadGroups().catch(() => undefined)
  }, [isMaintained])
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined)
  const isEmptyMenu = !isNarrowed && location === undefined && list.data?.pages[0]?.items.length === 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {!isEmptyMenu && (
        <MenuHead
          search={search}
          onSearch={onSearch}
          menu={menu}
          isTaxIncluded={list.data?.pages[0]?.items[0]?.isTaxIncluded}
          locations={locations.length > 1 ? locations : []}
          toEditor={toEditor}
        />
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
                <Button variant="secondary" onClick={() => onSearch({ location, sort })}>
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
              <ProductGroups
                products={products}
                business={business}
                counts={isNarrowed ? null : (menu?.categories ?? [])}
                sort={sort ?? 'category'}
                nameOf={({ id, name }) => (
                  <Link to="/product/$id" params={{ id }} search={{ location }} className={cardLink}>
                    {name}
                  </Link>
                )}
              />
            </Suspense>
          )}
        </PagedList>
      </div>
    </div>
  )
}

type MenuHeadProps = {
  search: MenuSearch
  onSearch: (search: MenuSearch) => void
  menu: ResponseOf<typeof getMenu> | undefined
  isTaxIncluded: boolean | undefined
  locations: readonly Location[]
  toEditor: ReactNode
}

function MenuHead({ search, onSearch, menu, isTaxIncluded, locations, toEditor }: MenuHeadProps) {
  const { text, setText, send } = useAddressText(search.q ?? '')
  const q = useDebounced(text.trim()).slice(0, 120)
  const sendText = useEffectEvent((typed: string) => {
    if (typed !== text.trim() || typed === (search.q ?? '')) return
    send(typed)
    onSearch({ ...search, q: typed || undefined })
  })
  useEffect(() => sendText(q), [q])
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
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="min-w-48 flex-1"
        />
        {locations.length > 0 && (
          <Suspense>
            <Select
              aria-label="Location"
              value={search.location ?? ''}
              onChange={(event) => onSearch({ ...search, location: event.target.value || undefined, category: undefined })}
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
      <div className="grid min-h-9 grid-cols-[minmax(0,1fr)] gap-3">
        {menu && menu.itemCount > 0 && (
          <Suspense>
            <MenuFilters search={search} onSearch={onSearch} menu={menu} />
          </Suspense>
        )}
      </div>
      <p className="flex min-h-5 flex-wrap items-center gap-x-2 text-muted text-sm">
        {menu?.confirmedAt && (
          <Suspense>
            <MenuAge at={menu.confirmedAt} isTaxIncluded={isTaxIncluded} />
          </Suspense>
        )}
        {toEditor}
      </p>
    </div>
  )
}

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
