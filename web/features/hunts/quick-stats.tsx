import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { summaryOptions } from './hunts.api.ts'

/** What the own hunts come to. */
export function QuickStats() {
  const { data, isError } = useQuery(summaryOptions)
  if (isError && !data) return null
  const figures = [
    ['Active hunts', data?.active],
    ['Completed', data?.completed],
    ['Living plants', data?.livingPlants],
    ['Keepers', data?.keepers],
  ] as const
  return (
    <section aria-labelledby="quick-stats" className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="quick-stats" className="text-xl">
          Quick Stats
        </h2>
        {/* Those that others share stand in the list, and are not counted here. */}
        <p className="text-muted text-sm">Your own hunts</p>
      </div>
      <Card asChild>
        <dl className="grid grid-cols-2 gap-px bg-line">
          {figures.map(([name, value]) => (
            <div key={name} className="flex flex-col-reverse bg-surface px-4 py-3.5">
              <dt className="font-normal! text-muted text-sm">{name}</dt>
              <dd className="font-display text-2xl tabular-nums">
                {value === undefined ? <Skeleton className="h-8 w-10" /> : formatNumber(value)}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </section>
  )
}
