import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { cardLink, textLink } from '../../ui/link-styles.ts'
import { SkeletonGroup, SkeletonRow } from '../../ui/skeleton.tsx'
import { BusinessPicture } from '../businesses/business-picture.tsx'
import { favoritesOptions } from '../businesses/favorites.api.ts'

const shown = 3

/** The favorites that were added last. */
export function FavoritesGlance() {
  const list = useInfiniteQuery(favoritesOptions)
  const favorites = list.data?.pages[0]?.items.slice(0, shown)
  return (
    <Card asChild>
      <section>
        <CardBody>
          <div className="mb-1 flex items-baseline justify-between gap-4">
            <h2 className="text-lg">Your favorites</h2>
            {favorites && favorites.length > 0 && (
              <Link to="/favorites" className={`${textLink} touch-target text-sm`}>
                See all
              </Link>
            )}
          </div>
          {list.isPending && (
            <SkeletonGroup label="Loading your favorites...">
              {[1, 2, 3].map((row) => (
                <SkeletonRow key={row} />
              ))}
            </SkeletonGroup>
          )}
          {list.isError && !favorites && (
            <div role="alert" className="grid justify-items-start gap-3 pt-2 text-muted text-sm">
              Your favorites could not be loaded. {messageOf(list.error)}
              <Button variant="secondary" size="sm" onClick={() => void list.refetch()} pending={list.isFetching}>
                Retry
              </Button>
            </div>
          )}
          {favorites?.length === 0 && (
            <div className="grid justify-items-start gap-3 pt-2">
              <p className="text-muted text-sm">No Favorites Yet. The heart on a business keeps it here.</p>
              <Button asChild variant="secondary" size="sm">
                <Link to="/discover">Discover businesses</Link>
              </Button>
            </div>
          )}
          <ul className="grid grid-cols-[minmax(0,1fr)] empty:hidden">
            {favorites?.map(({ business }) => (
              <FavoriteLine key={business.id} business={business} />
            ))}
          </ul>
        </CardBody>
      </section>
    </Card>
  )
}

function FavoriteLine({ business }: { business: BusinessSummary }) {
  return (
    <li className="relative -mx-2 flex items-center gap-3 rounded-input p-2 hover:bg-sunk has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-focus">
      <BusinessPicture business={business} className="size-12! shrink-0 rounded-input object-cover" />
      <div className="min-w-0">
        <h3 className="truncate font-semibold font-text text-[0.9375rem] tracking-normal">
          <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
            {business.name}
          </Link>
        </h3>
        <p className="truncate text-muted text-sm">
          {businessTypeLabels[business.type]} · {business.location ?? 'Location not set'}
        </p>
      </div>
    </li>
  )
}
