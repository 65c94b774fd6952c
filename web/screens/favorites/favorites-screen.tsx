import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Globe, Heart, MapPin, Phone } from 'lucide-react'
import { phoneLink } from '#contracts/addresses.ts'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { BusinessPicture } from '#web/entities/businesses/business-picture.tsx'
import { favoritesOptions } from '#web/entities/businesses/businesses.api.ts'
import { useFavorite } from '#web/entities/businesses/use-favorite.ts'
import { CommunityPostCard } from '#web/entities/community-posts/community-post-card.tsx'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { PostCard, PostSkeleton } from '#web/entities/posts/post-card.tsx'
import { savedPostsOptions } from '#web/entities/posts/posts.api.ts'
import { countVisit } from '#web/lib/count-visit.ts'
import { websiteName } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { MorePages, PagedList } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { SkeletonCard } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'

export type FavoritesTab = 'businesses' | 'posts'
type FavoritesScreenProps = { tab: FavoritesTab; onTab: (tab: FavoritesTab) => void }

/** Requires sign-in; see web/lib/route-access.ts. */
export function FavoritesScreen({ tab, onTab }: FavoritesScreenProps) {
  return (
    <div className="mx-auto max-w-page px-4 pt-8 pb-16 sm:px-6">
      <PageHeader title="Favorites" />
      <Tabs value={tab} onValueChange={(value) => onTab(value as FavoritesTab)} className="mt-4">
        <TabList aria-label="Favorites">
          <Tab value="businesses">Businesses</Tab>
          <Tab value="posts">Saved posts</Tab>
        </TabList>
        <TabPanel value="businesses">
          <Favorites />
        </TabPanel>
        <TabPanel value="posts">
          <SavedPosts />
        </TabPanel>
      </Tabs>
    </div>
  )
}

function SavedPosts() {
  const list = useInfiniteQuery(savedPostsOptions)
  const removed = useRemoved()
  const listFocus = useListFocus<HTMLUListElement>()
  return (
    <div className="mx-auto max-w-feed">
      <h2 className="sr-only">Saved posts</h2>
      <PagedList
        list={list}
        loadingLabel="Loading posts..."
        skeleton={<PostSkeleton />}
        failure="Your saved posts couldn’t be loaded"
        cards="each"
        empty={
          <EmptyState
            level={3}
            title="No saved posts yet"
            description="Save a post from its menu to find it here. Only you can see this list."
          />
        }
      >
        {(posts) => (
          <ul {...listFocus} className="grid gap-4">
            {posts
              .filter(({ id }) => !removed.has(id))
              .map((post) => (
                <li key={post.id} className="min-w-0">
                  {post.community ? (
                    <CommunityPostCard post={{ ...post, community: post.community }} where="list" />
                  ) : (
                    <PostCard post={post} where="feed" />
                  )}
                </li>
              ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}

const grid = 'mt-6 grid gap-5 sm:grid-cols-2 lg:grid-cols-3'

function Favorites() {
  const list = useInfiniteQuery(favoritesOptions)
  const listFocus = useListFocus<HTMLUListElement>()
  if (list.isPending) {
    return (
      <div role="status" className="mt-1.5">
        <p className="text-muted">Loading your favorites...</p>
        <div aria-hidden="true" className={grid}>
          {[1, 2, 3, 4, 5, 6].map((card) => (
            <SkeletonCard key={card} />
          ))}
        </div>
      </div>
    )
  }
  if (!list.data) {
    return <LoadError title="Your favorites couldn’t be loaded" query={list} />
  }
  const favorites = list.data.pages.flatMap(({ items }) => items)
  if (favorites.length === 0 && !list.hasNextPage) {
    return (
      <EmptyState title="No Favorites Yet" description="Tap the heart on any business to save it here.">
        <Button asChild>
          <Link to="/discover">Discover businesses</Link>
        </Button>
      </EmptyState>
    )
  }
  return (
    <>
      <ul {...listFocus} className={grid}>
        {favorites.map((favorite) => (
          <li key={favorite.business.id} className="min-w-0">
            <FavoriteCard business={favorite.business} />
          </li>
        ))}
      </ul>
      <MorePages list={list} />
    </>
  )
}

function FavoriteCard({ business }: { business: BusinessSummary }) {
  const { id, name, slug, type, description, address, location, phone, website, averageRating, totalRatings, openNow, timeZone } = business
  const { setFavorite } = useFavorite(business, { undo: true })
  const place = [address, location].filter(Boolean).join(', ')
  return (
    <Card asChild className="flex h-full flex-col">
      <article>
        <BusinessPicture business={business} />
        <div className="flex flex-1 flex-col gap-3 p-4 sm:p-5">
          <div>
            <h2 className="text-lg wrap-anywhere">{name}</h2>
            <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <Badge>{businessTypeLabels[type]}</Badge>
              <Stars rating={averageRating} count={totalRatings} />
            </div>
            {openNow && timeZone && (
              <p className="mt-2 text-sm">
                <OpenLine location={{ openNow, timeZone }} />
              </p>
            )}
          </div>
          <p className="line-clamp-3 text-[0.9375rem] text-muted">{description ?? 'No description available'}</p>
          <ul className="grid gap-1.5 text-sm pointer-coarse:gap-6 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted">
            <li className="flex gap-2">
              <MapPin aria-hidden="true" />
              {place || 'Location not set'}
            </li>
            {phone && (
              <li className="flex gap-2">
                <Phone aria-hidden="true" />
                <a
                  href={phoneLink(phone)}
                  onClick={() => countVisit(id, { kind: 'call' }, 'favorites')}
                  className={`${textLink} touch-target`}
                >
                  {phone}
                </a>
              </li>
            )}
            {website && (
              <li className="flex gap-2">
                <Globe aria-hidden="true" />
                <a
                  href={website}
                  onClick={() => countVisit(id, { kind: 'site' }, 'favorites')}
                  target="_blank"
                  rel="noopener noreferrer"
                  className={`${textLink} touch-target min-w-0 wrap-anywhere`}
                >
                  {websiteName(website)}
                  <span className="sr-only">(opens in a new tab)</span>
                </a>
              </li>
            )}
          </ul>
          <Button asChild variant="secondary" className="mt-auto self-start">
            <Link to="/business/$id" params={{ id: slug }}>
              View Details<span className="sr-only"> for {name}</span>
            </Link>
          </Button>
        </div>
        <IconButton
          label={`Remove ${name} from favorites`}
          variant="floating"
          onClick={() => setFavorite(false)}
          className="absolute! top-2.5 right-2.5 z-1 text-clay! [&_svg]:fill-current"
        >
          <Heart aria-hidden="true" />
        </IconButton>
      </article>
    </Card>
  )
}
