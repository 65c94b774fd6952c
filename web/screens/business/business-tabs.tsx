import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import type { Business } from '#contracts/businesses.ts'
import { businessStatusOptions } from '#web/entities/businesses/businesses.api.ts'
import { productsOptions } from '#web/entities/menus/menus.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { ListNote } from '#web/ui/paged-list.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import type { BusinessTab, MenuSearch } from './business-search.ts'
import { PartSkeleton } from './business-skeleton.tsx'
import { ShopMenu } from './shop-menu.tsx'

// Most visitors come for the menu; the other tabs load when opened.
const PostsTab = lazy(async () => ({ default: (await import('./posts-tab.tsx')).PostsTab }))
const ReviewsTab = lazy(async () => ({ default: (await import('./reviews-tab.tsx')).ReviewsTab }))
const BusinessToolsTab = lazy(async () => ({ default: (await import('./business-tools-tab.tsx')).BusinessToolsTab }))

type BusinessTabsProps = ProductsTabProps & { tab: BusinessTab; onTab: (tab: BusinessTab) => void }

export function BusinessTabs({ business, tab, onTab, menuSearch, onMenuSearch }: BusinessTabsProps) {
  const tabs = useRef<HTMLDivElement>(null)
  // The router tried to scroll to the hash before the business had loaded.
  useEffect(() => {
    if (window.location.hash === '#more') tabs.current?.scrollIntoView()
  }, [])
  return (
    <Tabs ref={tabs} value={tab} onValueChange={(value) => onTab(value as BusinessTab)} id="more">
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
  const { error } = useInfiniteQuery(productsOptions(business.id, menuSearch))
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
  return (
    <ShopMenu
      business={business}
      search={menuSearch}
      onSearch={onMenuSearch}
      toEditor={
        runsIt && (
          <Link to="/business-dashboard/menu" search={{ business: business.slug }} className={textLink}>
            Edit this menu
          </Link>
        )
      }
    />
  )
}
