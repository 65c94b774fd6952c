import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import type { CommunitiesSearch, CommunitiesTab } from './communities-search.ts'
import { DiscoverTab } from './discover-tab.tsx'

const MyCommunitiesTab = lazy(async () => ({ default: (await import('./my-communities-tab.tsx')).MyCommunitiesTab }))
const CommunityFeedTab = lazy(async () => ({
  default: (await import('./community-feed-tab.tsx')).CommunityFeedTab,
}))
const CreateTab = lazy(async () => ({ default: (await import('./create-tab.tsx')).CreateTab }))

/** Discover, own communities, feed and create. All tabs but Discover load lazily. */
export function CommunitiesScreen({ search }: { search: CommunitiesSearch }) {
  const { tab = 'discover' } = search
  const router = useRouter()
  const go = (next: string) =>
    void router.navigate({
      to: '/communities',
      search: next === 'discover' ? {} : { tab: next as CommunitiesTab },
      resetScroll: false,
    })
  return (
    <div className="mx-auto min-h-dvh max-w-page px-4 pt-5 pb-16 sm:px-6 sm:pt-7">
      <PageHeader title="Communities" description="Find your people: growers, breeders, patients and industry professionals." />
      <Tabs value={tab} onValueChange={go} className="mt-5">
        <TabList aria-label="Communities">
          <Tab value="discover">Discover</Tab>
          <Tab value="my">My Communities</Tab>
          <Tab value="feed">Community Feed</Tab>
          <Tab value="create">Create</Tab>
        </TabList>
        <TabPanel value={tab} className="pt-6">
          {tab === 'discover' && <DiscoverTab search={search} />}
          <Suspense fallback={<TabSkeleton />}>
            {tab === 'my' && <MyCommunitiesTab />}
            {tab === 'feed' && <CommunityFeedTab />}
            {tab === 'create' && <CreateTab />}
          </Suspense>
        </TabPanel>
      </Tabs>
    </div>
  )
}

export const TabSkeleton = () => (
  <SkeletonGroup className="grid gap-4">
    <Skeleton className="h-12 max-w-sm" />
    <Skeleton className="h-64 rounded-card" />
  </SkeletonGroup>
)
