// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { lazy, Suspense, useEffect, useRef } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import type { BusinessTab } from './business-search.ts'
import { PartSkeleton } from './business-skeleton.tsx'
import { ProductsTab } from './products-tab.tsx'

// Most come for the menu; each of the others brings what it needs when it is opened.
const PostsTab = lazy(async () => ({ default: (await import('./posts-tab.tsx')).PostsTab }))
const ReviewsTab = lazy(async () => ({ default: (await import('../reviews/reviews-tab.tsx')).ReviewsTab }))
const BusinessToolsTab = lazy(async () => ({ default: (await import('./business-tools-tab.tsx')).BusinessToolsTab }))

type BusinessTabsProps = { business: Business; tab: BusinessTab; onTab: (tab: BusinessTab) => void }

/** What a business offers, tells and is told. */
export function BusinessTabs({ business, tab, onTab }: BusinessTabsProps) {
  const tabs = useRef<HTMLDivElement>(null)
  // The router looked for the address's place before the business was there.
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
        <ProductsTab business={business} />
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
