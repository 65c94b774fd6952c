import { useRouter } from '@tanstack/react-router'
import { NotebookPen, Plus } from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { GrowingBar } from '../offline/growing-bar.tsx'
import { ActiveHuntsTab } from './active-hunts-tab.tsx'
import { HuntPicker } from './hunt-picker.tsx'
import type { PhenoHuntSearch, PhenoHuntTab } from './pheno-hunt-search.ts'
import { type MyHunts, useMyHunts } from './use-my-hunts.ts'

const NewHuntDialog = lazyDialog(async () => (await import('./new-hunt-dialog.tsx')).NewHuntDialog)
const ImportHuntButton = lazy(async () => ({ default: (await import('../hunt-archive/import-hunt-button.tsx')).ImportHuntButton }))
const CommunityTab = lazy(async () => ({ default: (await import('./community-tab.tsx')).CommunityTab }))
const GrowLogsTab = lazy(async () => ({ default: (await import('../grow-logs/grow-logs-tab.tsx')).GrowLogsTab }))
const DataTrackerTab = lazy(async () => ({ default: (await import('../traits/data-tracker-tab.tsx')).DataTrackerTab }))

/** Pheno Hunter Pro: the hunts, their logs, their figures, and those of others. Each tab is code of its own. */
export function PhenoHuntScreen({ search }: { search: PhenoHuntSearch }) {
  const { tab = 'hunts' } = search
  const router = useRouter()
  const mine = useMyHunts(search.hunt)
  const go = (next: PhenoHuntSearch, replace = false) =>
    void router.navigate({ to: '/pheno-hunt', search: next, replace, resetScroll: false })
  const hunt = search.hunt === undefined ? {} : { hunt: search.hunt }
  const openNew = () => go({ ...search, new: true })
  const about = (Content: ComponentType<{ hunt: Hunt }>) => <OfHunt tab={tab} mine={mine} Content={Content} onNew={openNew} />
  return (
    <div className="mx-auto min-h-dvh max-w-page px-4 pt-5 pb-16 sm:px-6 sm:pt-7">
      <GrowingBar className="mb-3 sm:mb-5" />
      <PageHeader title="Pheno Hunter Pro" description="From the seed to the keeper: number, log, score, compare, decide.">
        {tab === 'hunts' && (
          <span className="max-sm:order-last">
            <Suspense fallback={<span className="block size-12" />}>
              <ImportHuntButton variant="quiet" isShort />
            </Suspense>
          </span>
        )}
        {mine.selected?.abilities.write && tab !== 'logs' && (
          <Button variant="secondary" onClick={() => go({ tab: 'logs', hunt: mine.selected?.id as string })} className="min-h-12">
            <NotebookPen aria-hidden="true" />
            Quick Log
          </Button>
        )}
        <Button onClick={openNew} className="min-h-12">
          <Plus aria-hidden="true" />
          New Hunt
        </Button>
      </PageHeader>
      <Tabs
        value={tab}
        onValueChange={(next) => go({ ...(next === 'hunts' ? {} : { tab: next as PhenoHuntTab }), ...hunt })}
        className="mt-5"
      >
        <TabList aria-label="Pheno Hunter Pro">
          <Tab value="hunts">Active Hunts</Tab>
          <Tab value="logs">Grow Logs</Tab>
          <Tab value="tracker">Data Tracker</Tab>
          <Tab value="community">Community</Tab>
        </TabList>
        <TabPanel value={tab} className="pt-6">
          {tab === 'hunts' && <ActiveHuntsTab list={mine.list} hunts={mine.hunts} selectedId={mine.selected?.id} onNew={openNew} />}
          <Suspense fallback={<TabSkeleton />}>
            {tab === 'logs' && about(GrowLogsTab)}
            {tab === 'tracker' && about(DataTrackerTab)}
            {tab === 'community' && <CommunityTab search={search.search ?? ''} />}
          </Suspense>
        </TabPanel>
      </Tabs>
      {search.new && <NewHuntDialog open onOpenChange={(open) => !open && go({ ...(tab === 'hunts' ? {} : { tab }), ...hunt }, true)} />}
    </div>
  )
}

type OfHuntProps = { tab: PhenoHuntTab; mine: MyHunts; Content: ComponentType<{ hunt: Hunt }>; onNew: () => void }

/** A tab that is about one hunt, once there is one. */
function OfHunt({ tab, mine: { list, hunts, selected }, Content, onNew }: OfHuntProps) {
  if (list.isPending) return <TabSkeleton />
  if (!list.data) {
    return (
      <ErrorState
        title="Your hunts could not be loaded"
        description={messageOf(list.error)}
        onRetry={() => void list.refetch()}
        pending={list.isFetching}
      />
    )
  }
  if (!selected) {
    return (
      <EmptyState title="Start Your First Pheno Hunt" description="Logs and scores belong to a hunt.">
        <Button size="lg" onClick={onNew}>
          <Plus aria-hidden="true" />
          Create Hunt
        </Button>
      </EmptyState>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {hunts.length > 1 && <HuntPicker tab={tab} hunts={hunts} selected={selected} />}
      <Content key={selected.id} hunt={selected} />
    </div>
  )
}

const TabSkeleton = () => (
  <SkeletonGroup className="grid gap-4">
    <Skeleton className="h-12 max-w-sm" />
    <Skeleton className="h-64 rounded-card" />
  </SkeletonGroup>
)
