import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../lib/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { activityOptions } from './home.api.ts'
import { SideCard } from './side-card.tsx'

const grid = 'grid grid-cols-2 gap-2 sm:max-lg:grid-cols-4'
const counts = [
  { name: 'likes', label: 'Likes' },
  { name: 'comments', label: 'Comments' },
  { name: 'reviews', label: 'Reviews' },
  { name: 'favorites', label: 'Favorites' },
] as const

/** What one has done here. */
export function ActivityCard() {
  const query = useQuery(activityOptions)
  return (
    <SideCard
      title="Your activity"
      query={query}
      failure="Your activity could not be loaded."
      skeleton={
        <span className={grid}>
          {counts.map(({ name }) => (
            <Skeleton key={name} className="h-15" />
          ))}
        </span>
      }
    >
      {(activity) => (
        <dl className={grid}>
          {counts.map(({ name, label }) => (
            <div key={name} className="flex flex-col-reverse rounded-input bg-sunk px-3 py-2">
              <dt className="font-normal! text-muted text-sm">{label}</dt>
              <dd className="font-display text-xl tabular-nums">{formatNumber(activity[name])}</dd>
            </div>
          ))}
        </dl>
      )}
    </SideCard>
  )
}
