import { Plus } from 'lucide-react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { HuntCard } from './hunt-card.tsx'
import { QuickStats } from './quick-stats.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { TodaysTasks } from './todays-tasks.tsx'
import type { MyHunts } from './use-my-hunts.ts'
import { useReadyHunts } from './use-ready-hunts.ts'

type ActiveHuntsTabProps = { list: MyHunts['list']; hunts: readonly Hunt[]; selectedId: string | undefined; onNew: () => void }

/** The hunts, what is to be done in them, and what has become of them. */
export function ActiveHuntsTab({ list, hunts, selectedId, onNew }: ActiveHuntsTabProps) {
  useReadyHunts(hunts)
  const active = hunts.filter(({ isActive }) => isActive).length
  const isEmpty = list.isSuccess && hunts.length === 0
  return (
    <div className={cx('grid items-start gap-x-8 gap-y-7', !isEmpty && 'lg:grid-cols-[minmax(0,1fr)_20rem]')}>
      <div className="grid gap-7">
        <TodaysTasks hunts={hunts} selectedId={selectedId} isLoading={list.isPending} />
        <section aria-labelledby="active-hunts" className="grid gap-3">
          <div className="flex items-center gap-2.5">
            <h2 id="active-hunts" className="text-xl">
              Active Hunts
            </h2>
            {list.isSuccess && !isEmpty && <Badge variant="leaf">{active} Active</Badge>}
          </div>
          <PagedList
            list={list}
            loadingLabel="Loading hunts..."
            skeleton={<HuntSkeleton />}
            failure="Your hunts could not be loaded"
            cards="each"
            empty={
              <EmptyState
                level={3}
                title="Start Your First Pheno Hunt"
                description="Number your seeds, keep a clone of each plant, log and score them, and keep the one worth running for years."
              >
                <Button size="lg" onClick={onNew}>
                  <Plus aria-hidden="true" />
                  Create Hunt
                </Button>
              </EmptyState>
            }
          >
            {(all) => (
              <ul className="grid gap-4">
                {inOrder(all).map((hunt) => (
                  <li key={hunt.id}>
                    <HuntCard hunt={hunt} isSelected={hunt.id === selectedId} />
                  </li>
                ))}
              </ul>
            )}
          </PagedList>
        </section>
      </div>
      {!isEmpty && (
        <aside className="grid gap-7">
          <QuickStats />
          <RecentActivity />
        </aside>
      )}
    </div>
  )
}

/** Active ones before completed ones, each the newest first. */
const inOrder = (hunts: readonly Hunt[]): Hunt[] => [
  ...hunts.filter(({ isActive }) => isActive),
  ...hunts.filter(({ isActive }) => !isActive),
]

const HuntSkeleton = () => (
  <span className="grid gap-4 rounded-card border border-line bg-surface p-5">
    <Skeleton className="h-6 w-2/5" />
    <Skeleton className="h-8 w-full" />
    <SkeletonText lines={2} />
  </span>
)
