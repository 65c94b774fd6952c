import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cardLink } from '../../ui/link-styles.ts'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { BusinessPicture } from '../businesses/business-picture.tsx'
import { trendingOptions } from './home.api.ts'
import { SideCard } from './side-card.tsx'

/** Home shows this many. */
const shown = 3

/** The businesses that people engage with most right now, each with why. */
export function TrendingCard() {
  const query = useQuery(trendingOptions)
  return (
    <SideCard
      title="Trending"
      description="Most engagement lately. Nobody pays to be here."
      query={query}
      failure="Trending could not be loaded."
      skeleton={[1, 2, 3].map((row) => <SkeletonRow key={row} />)}
    >
      {(businesses) =>
        businesses.length === 0 ? (
          <p className="text-muted text-sm">Quiet at the moment. Likes, comments and reviews of the last days count.</p>
        ) : (
          <ol className="grid grid-cols-[minmax(0,1fr)] gap-1">
            {businesses.slice(0, shown).map((business, index) => (
              <li
                key={business.id}
                className="relative -mx-2 flex items-center gap-3 rounded-input p-2 hover:bg-sunk has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-focus"
              >
                <span aria-hidden="true" className="w-4 shrink-0 text-center font-display text-lg text-muted tabular-nums">
                  {index + 1}
                </span>
                <span className="block size-11 shrink-0 overflow-clip rounded-input">
                  <BusinessPicture business={business} className="size-full! aspect-square! object-cover" />
                </span>
                <div className="min-w-0">
                  <h3 className="truncate font-semibold font-text text-[0.9375rem] tracking-normal">
                    <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
                      {business.name}
                    </Link>
                  </h3>
                  <p className="text-muted text-sm">{business.reason}</p>
                </div>
              </li>
            ))}
          </ol>
        )
      }
    </SideCard>
  )
}
