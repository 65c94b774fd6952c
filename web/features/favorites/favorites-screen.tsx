import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonCard } from '../../ui/skeleton.tsx'
import { favoritesOptions } from '../businesses/favorites.api.ts'
import { FavoriteCard } from './favorite-card.tsx'

/** Whoever is signed out meets the sign-in here: see web/lib/route-access.ts. */
export function FavoritesScreen() {
  return (
    <div className="mx-auto max-w-page px-4 pt-8 pb-16 sm:px-6">
      <PageHeader title="Favorites" />
      <Favorites />
    </div>
  )
}

const grid = 'mt-6 grid gap-5 sm:grid-cols-2 lg:grid-cols-3'

function Favorites() {
  const list = useInfiniteQuery(favoritesOptions)
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
    return (
      <ErrorState
        title="Your favorites could not be loaded"
        description={messageOf(list.error)}
        onRetry={() => void list.refetch()}
        pending={list.isFetching}
      />
    )
  }
  const favorites = list.data.pages.flatMap(({ items }) => items)
  if (favorites.length === 0 && !list.hasNextPage) {
    return (
      <EmptyState title="No Favorites Yet" description="The heart on a business keeps it here.">
        <Button asChild>
          <Link to="/discover">Discover businesses</Link>
        </Button>
      </EmptyState>
    )
  }
  return (
    <>
      <ul className={grid}>
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
