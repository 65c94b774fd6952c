import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cardLink, textLink } from '../../ui/link-styles.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stars } from '../../ui/stars.tsx'
import { BusinessPicture } from '../businesses/business-picture.tsx'
import { featuredOptions } from './home.api.ts'
import { SideCard } from './side-card.tsx'

/** Home shows this many. */
const shown = 4
const grid = 'grid grid-cols-2 gap-3 sm:max-lg:grid-cols-4'

/** The best rated businesses. */
export function FeaturedCard() {
  const query = useQuery(featuredOptions)
  return (
    <SideCard
      title="Featured Businesses"
      description="Best rated, with enough reviews to tell."
      more={
        <Link to="/discover" className={`${textLink} touch-target shrink-0 text-sm`}>
          See all
        </Link>
      }
      query={query}
      failure="These businesses could not be loaded."
      skeleton={
        <span className={grid}>
          {[1, 2, 3, 4].map((card) => (
            <Skeleton key={card} className="h-36" />
          ))}
        </span>
      }
    >
      {(businesses) =>
        businesses.length === 0 ? (
          <p className="text-muted text-sm">No business has enough reviews yet. Write one for a place you know.</p>
        ) : (
          <ul className={grid}>
            {businesses.slice(0, shown).map((business) => (
              <li
                key={business.id}
                className="relative overflow-clip rounded-input border border-line transition-colors hover:border-edge has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-focus"
              >
                <BusinessPicture business={business} className="aspect-[16/10]! object-cover" />
                <div className="grid grid-cols-[minmax(0,1fr)] gap-1 p-2 sm:p-2.5">
                  <h3 className="line-clamp-2 font-semibold font-text text-sm tracking-normal">
                    <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
                      {business.name}
                    </Link>
                  </h3>
                  <p className="truncate text-muted text-xs">{business.location ?? 'Location not set'}</p>
                  <Stars
                    rating={business.averageRating}
                    count={business.totalRatings}
                    className="flex-wrap max-sm:gap-x-1 max-sm:gap-y-0 max-sm:text-xs"
                  />
                </div>
              </li>
            ))}
          </ul>
        )
      }
    </SideCard>
  )
}
