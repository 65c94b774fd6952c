import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { Briefcase, Dna, type LucideIcon, MessagesSquare, Sprout, Stethoscope } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { communityCategories } from '#contracts/choices.ts'
import type { Community, CommunityCategory, CommunitySort } from '#contracts/communities.ts'
import { categoryCountsOptions, communitiesOptions } from '#web/entities/communities/communities.api.ts'
import { categoryHints, categoryNames, countWords, sortNames } from '#web/entities/communities/community-words.ts'
import { JoinButton } from '#web/entities/communities/join-button.tsx'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SearchForm } from '#web/ui/search-form.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import type { CommunitiesSearch, CommunitiesTab } from './communities-search.ts'
import { CommunityBadges, CommunityPicture } from './community-parts.tsx'

const MyCommunitiesTab = lazy(async () => ({ default: (await import('./my-communities-tab.tsx')).MyCommunitiesTab }))
const CommunityFeedTab = lazy(async () => ({
  default: (await import('./community-feed-tab.tsx')).CommunityFeedTab,
}))
const CreateTab = lazy(async () => ({ default: (await import('./create-tab.tsx')).CreateTab }))

/** Tabs other than Discover load when opened. */
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

function DiscoverTab({ search }: { search: CommunitiesSearch }) {
  const router = useRouter()
  const { q = '', category, sort = 'featured' } = search
  const list = useInfiniteQuery(communitiesOptions({ q, category, sort }))
  const go = (next: CommunitiesSearch) => void router.navigate({ to: '/communities', search: next, replace: true, resetScroll: false })
  const find = (text: string) => {
    const { q: _, ...rest } = search
    go(text ? { ...rest, q: text } : rest)
  }
  return (
    <div className="grid gap-7">
      <SearchForm
        label="Search communities"
        placeholder="Search communities"
        maxLength={120}
        search={q}
        onSearch={find}
        onClear={() => find('')}
      />
      <CategoryTiles search={search} />
      <section aria-labelledby="communities-list" className="grid gap-4">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div>
            <h2 id="communities-list" className="text-xl wrap-anywhere">
              {headingOf({ q, category, sort })}
            </h2>
            {category && <p className="mt-0.5 text-muted text-sm">{categoryHints[category]}</p>}
          </div>
          <Select
            aria-label="Order"
            value={sort}
            onChange={(event) => {
              const { sort: _, ...rest } = search
              const next = event.target.value as CommunitySort
              go(next === 'featured' ? rest : { ...rest, sort: next })
            }}
            className="w-40"
          >
            {Object.entries(sortNames).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
        </div>
        <PagedList
          list={list}
          loadingLabel="Loading communities..."
          skeleton={<CommunityCardsSkeleton />}
          failure="The communities couldn’t be loaded"
          cards="each"
          empty={<NothingFound search={search} />}
        >
          {(communities) => (
            <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {communities.map((community) => (
                <li key={community.id}>
                  <CommunityCard community={community} />
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </section>
    </div>
  )
}

function headingOf({
  q,
  category,
  sort,
}: Required<Pick<CommunitiesSearch, 'sort'>> & { q: string; category: CommunitiesSearch['category'] }) {
  if (q) return category ? `“${q}” in ${categoryNames[category]}` : `“${q}”`
  if (category) return categoryNames[category]
  return { featured: 'Featured communities', newest: 'Newest communities', name: 'All communities' }[sort]
}

function NothingFound({ search: { q, category } }: { search: CommunitiesSearch }) {
  return (
    <EmptyState
      title={q ? `No community matches “${q}”` : category ? `Nothing in ${categoryNames[category]} yet` : 'No communities yet'}
      description={
        q ? 'Try fewer words or another category.' : 'Start the first one. All you need is a name, a description and a category.'
      }
      level={3}
    >
      {(q || category) && (
        <Button asChild variant="secondary">
          <Link to="/communities" search={{}}>
            Show all communities
          </Link>
        </Button>
      )}
      <Button asChild variant={q ? 'quiet' : 'primary'}>
        <Link to="/communities" search={{ tab: 'create' }}>
          Create a community
        </Link>
      </Button>
    </EmptyState>
  )
}

const icons: Record<CommunityCategory, LucideIcon> = {
  growing: Sprout,
  strains: Dna,
  medical: Stethoscope,
  business: Briefcase,
  general: MessagesSquare,
}

function CategoryTiles({ search }: { search: CommunitiesSearch }) {
  const { data: counts } = useQuery(categoryCountsOptions)
  return (
    <nav aria-label="Categories">
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        {communityCategories.map((category) => {
          const Icon = icons[category]
          const isChosen = search.category === category
          const { category: _, ...rest } = search
          const count = counts?.find((each) => each.category === category)?.count
          return (
            <li key={category} className="max-sm:last:col-span-2">
              <Link
                to="/communities"
                search={isChosen ? rest : { ...search, category }}
                replace
                resetScroll={false}
                aria-current={isChosen ? 'true' : undefined}
                className={cx(
                  'flex h-full items-start gap-3 rounded-card border p-3.5 transition-colors sm:max-lg:flex-col sm:max-lg:gap-2',
                  isChosen ? 'border-leaf bg-leaf-soft ring-1 ring-leaf' : 'border-line bg-surface hover:border-edge hover:bg-sunk',
                )}
              >
                <Icon aria-hidden="true" className="mt-0.5 size-5.5 shrink-0 text-leaf" />
                <span className="min-w-0">
                  <span className="block font-medium">{categoryNames[category]}</span>
                  <span className="block text-muted text-sm tabular-nums">
                    {count === undefined ? '\u00a0' : counted(count, 'community', 'communities')}
                  </span>
                  <span className="sr-only">{categoryHints[category]}</span>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function CommunityCard({ community }: { community: Community }) {
  const { slug, name, description } = community
  return (
    <Card interactive asChild className="flex h-full flex-col">
      <article aria-label={name}>
        <CommunityPicture community={community} className="h-24" />
        <CardBody className="flex flex-1 flex-col gap-3">
          <div className="grid gap-2">
            <h3 className="text-lg wrap-anywhere">
              <Link to="/communities/$id" params={{ id: slug }} className={cardLink}>
                {name}
              </Link>
            </h3>
            <div className="flex flex-wrap gap-1.5">
              <CommunityBadges community={community} />
            </div>
          </div>
          <p className="line-clamp-3 text-muted text-sm wrap-anywhere">{description}</p>
          <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-1">
            <p className="text-muted text-sm tabular-nums">{countWords(community)}</p>
            <div className="relative z-1">
              <JoinButton community={community} variant="secondary" />
            </div>
          </div>
        </CardBody>
      </article>
    </Card>
  )
}

const CommunityCardsSkeleton = () => (
  <span className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
    <CardSkeleton />
    <CardSkeleton />
    <CardSkeleton />
  </span>
)

const CardSkeleton = () => (
  <span className="block overflow-hidden rounded-card border border-line bg-surface">
    <Skeleton shape="picture" className="h-24" />
    <span className="grid gap-3 p-4 sm:p-5">
      <Skeleton className="h-6 w-3/5" />
      <SkeletonText lines={3} />
      <span className="flex items-center justify-between gap-4">
        <Skeleton shape="line" className="w-32" />
        <Skeleton className="h-10 w-36" />
      </span>
    </span>
  </span>
)
