import { lazy, Suspense } from 'react'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { DashboardFrame } from './dashboard-frame.tsx'
import type { DashboardTab } from './dashboard-search.ts'

const tabs = {
  overview: lazy(async () => ({ default: (await import('./overview-tab.tsx')).OverviewTab })),
  subscriptions: lazy(async () => ({ default: (await import('./subscriptions-tab.tsx')).SubscriptionsTab })),
  locations: lazy(async () => ({ default: (await import('./locations-tab.tsx')).LocationsTab })),
  social: lazy(async () => ({ default: (await import('./social-tab.tsx')).SocialTab })),
}

export function DashboardScreen({ tab }: { tab: DashboardTab }) {
  const Content = tabs[tab]
  return (
    <DashboardFrame active={tab}>
      {(business) => (
        <Suspense fallback={<TabSkeleton />}>
          <Content key={business.id} business={business} />
        </Suspense>
      )}
    </DashboardFrame>
  )
}

const TabSkeleton = () => (
  <SkeletonGroup className="grid gap-4">
    <Skeleton className="h-28 rounded-card" />
    <Skeleton className="h-64 rounded-card" />
  </SkeletonGroup>
)
