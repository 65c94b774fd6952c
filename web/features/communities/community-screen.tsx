import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Community } from '../../../contracts/communities.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { NotFoundScreen } from '../not-found/not-found-screen.tsx'
import { AboutSection } from './about-section.tsx'
import { communityOptions } from './communities.api.ts'
import { TabSkeleton } from './communities-screen.tsx'
import type { CommunitySearch, CommunitySection } from './communities-search.ts'
import { CommunityHead } from './community-head.tsx'
import { MembersOnly } from './members-only.tsx'

const CommunityPosts = lazy(async () => ({ default: (await import('../community-posts/community-posts.tsx')).CommunityPosts }))
const MembersSection = lazy(async () => ({ default: (await import('./members-section.tsx')).MembersSection }))
const ManageSection = lazy(async () => ({ default: (await import('./manage-section.tsx')).ManageSection }))
const CommunityQueue = lazy(async () => ({ default: (await import('../moderation/community-queue.tsx')).CommunityQueue }))

/** One community. For whom it does not exist this is an address without a screen, as any other. */
export function CommunityScreen({ id, search }: { id: string; search: CommunitySearch }) {
  const { data: community, error, refetch, isFetching, isPending } = useQuery(communityOptions(id))
  if (isPending) return <ScreenSkeleton />
  if (!community) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NotFoundScreen />
    return (
      <div className="py-10">
        <h1 className="sr-only">Community</h1>
        <ErrorState
          title="This community could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      </div>
    )
  }
  return <View community={community} search={search} />
}

const sectionNames: Record<CommunitySection, string> = {
  posts: 'Posts',
  about: 'About',
  members: 'Members',
  manage: 'Manage',
  moderation: 'Moderation',
}

/** What there is for this viewer, in this order. */
function sectionsOf({ abilities, myRole }: Community): CommunitySection[] {
  return [
    'posts',
    'about',
    ...(myRole === null ? [] : (['members'] as const)),
    ...(abilities.moderate ? (['manage', 'moderation'] as const) : []),
  ]
}

function View({ community, search }: { community: Community; search: CommunitySearch }) {
  const router = useRouter()
  const sections = sectionsOf(community)
  // A section that is not for this viewer, or not any more.
  const section = sections.find((each) => each === search.section) ?? 'posts'
  const isClosed = section === 'posts' && !community.abilities.read
  const go = (next: string) =>
    void router.navigate({
      to: '/communities/$id',
      params: { id: community.slug },
      search: next === 'posts' ? {} : { section: next as CommunitySection },
      resetScroll: false,
    })
  return (
    <div className="mx-auto min-h-dvh max-w-page px-4 pt-5 pb-16 sm:px-6 sm:pt-7">
      <CommunityHead community={community} isShort={isClosed || section === 'about'} isClosed={isClosed} />
      <Tabs value={section} onValueChange={go} className="mt-4">
        <TabList aria-label={community.name}>
          {sections.map((each) => (
            <Tab key={each} value={each}>
              {sectionNames[each]}
              {each === 'manage' && Boolean(community.requestsCount) && (
                <span className="ml-1.5 rounded-full bg-leaf px-1.5 font-semibold text-on-leaf text-xs tabular-nums">
                  {community.requestsCount}
                  <span className="sr-only"> requests</span>
                </span>
              )}
            </Tab>
          ))}
        </TabList>
        <TabPanel value={section} className="pt-6">
          <Suspense fallback={<TabSkeleton />}>
            {section === 'posts' && (isClosed ? <MembersOnly community={community} /> : <CommunityPosts community={community} />)}
            {section === 'about' && <AboutSection community={community} />}
            {section === 'members' && <MembersSection community={community} />}
            {section === 'manage' && <ManageSection community={community} />}
            {section === 'moderation' && <CommunityQueue communityId={community.id} />}
          </Suspense>
        </TabPanel>
      </Tabs>
    </div>
  )
}

const ScreenSkeleton = () => (
  <SkeletonGroup label="Loading the community..." className="mx-auto grid max-w-page gap-6 px-4 pt-5 pb-16 sm:px-6 sm:pt-7">
    <div className="overflow-hidden rounded-card border border-line bg-surface sm:flex">
      <Skeleton shape="picture" className="h-24 sm:h-36 sm:w-52 lg:w-64" />
      <div className="grid flex-1 gap-3 p-4 sm:px-6">
        <Skeleton className="h-8 w-64 max-w-full" />
        <Skeleton shape="line" className="w-40" />
        <SkeletonText lines={2} className="max-w-text" />
      </div>
    </div>
    <TabSkeleton />
  </SkeletonGroup>
)
