import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { ArrowRight, Globe, Lock, NotebookPen, Plus, Users } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import type { PhenoHuntSearch, PhenoHuntTab } from '#web/entities/hunts/hunt-search.ts'
import { activeText, formatDay, visibilityWords } from '#web/entities/hunts/hunt-words.ts'
import { huntOptions, huntsOptions, summaryOptions } from '#web/entities/hunts/hunts.api.ts'
import { GrowingBar } from '#web/entities/offline/growing-bar.tsx'
import { whenCaching } from '#web/entities/offline/shell.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { HuntMenu } from './hunt-menu.tsx'
import { KeptPhenos } from './kept-phenos.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { StageTimeline } from './stage-timeline.tsx'
import { TodaysTasks } from './todays-tasks.tsx'

const NewHuntDialog = lazyDialog(async () => (await import('./new-hunt-dialog.tsx')).NewHuntDialog)
const ImportHuntButton = lazy(async () => ({
  default: (await import('./import-hunt-button.tsx')).ImportHuntButton,
}))
const CommunityTab = lazy(async () => ({ default: (await import('./community-tab.tsx')).CommunityTab }))
const GrowLogsTab = lazy(async () => ({ default: (await import('#web/screens/grow-logs/grow-logs-tab.tsx')).GrowLogsTab }))
const DataTrackerTab = lazy(async () => ({ default: (await import('#web/screens/traits/data-tracker-tab.tsx')).DataTrackerTab }))

export function PhenoHuntScreen({ search }: { search: PhenoHuntSearch }) {
  const { tab = 'hunts' } = search
  /** The other tabs are for entering data, and need the room on phones. */
  const isOverview = tab === 'hunts' || tab === 'community'
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
      <PageHeader
        title="Pheno Hunter Pro"
        description={<span className={cx(!isOverview && 'max-sm:hidden')}>From seed to keeper: number, log, score, compare, decide.</span>}
      >
        {tab === 'hunts' && (
          <span className="max-sm:order-last">
            <Suspense fallback={<span className="block size-12" />}>
              <ImportHuntButton variant="quiet" isShort />
            </Suspense>
          </span>
        )}
        {mine.selected?.abilities.write && tab !== 'logs' && (
          <Button
            variant="secondary"
            onClick={() => go({ tab: 'logs', hunt: mine.selected?.id as string })}
            className={cx('min-h-12', !isOverview && 'max-sm:hidden')}
          >
            <NotebookPen aria-hidden="true" />
            Quick Log
          </Button>
        )}
        <Button onClick={openNew} className={cx('min-h-12', !isOverview && 'max-sm:hidden')}>
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

function OfHunt({ tab, mine: { list, other, hunts, selected }, Content, onNew }: OfHuntProps) {
  if (list.isPending || other?.isPending) return <TabSkeleton />
  if (!list.data) return <LoadError title="Your hunts couldn’t be loaded" query={list} />
  if (other && !other.data) return <LoadError title="The hunt couldn’t be loaded" query={other} />
  if (!selected) {
    return (
      <EmptyState title="Start Your First Pheno Hunt" description="Create a hunt to add logs and scores.">
        <Button size="lg" onClick={onNew}>
          <Plus aria-hidden="true" />
          Create Hunt
        </Button>
      </EmptyState>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <HuntPicker tab={tab} hunts={hunts} selected={selected} />
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

type ActiveHuntsTabProps = { list: MyHunts['list']; hunts: readonly Hunt[]; selectedId: string | undefined; onNew: () => void }

function ActiveHuntsTab({ list, hunts, selectedId, onNew }: ActiveHuntsTabProps) {
  useReadyHunts(hunts)
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
            {list.isSuccess && !isEmpty && <Badge variant="leaf">{activeText(hunts, list.hasNextPage)}</Badge>}
          </div>
          <PagedList
            list={list}
            loadingLabel="Loading hunts..."
            skeleton={<HuntSkeleton />}
            failure="Your hunts couldn’t be loaded"
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
        <KeptPhenos />
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

function HuntCard({ hunt, isSelected }: { hunt: Hunt; isSelected: boolean }) {
  const { id, huntName, breeders, seedCount, isActive, growEnvironment, germinationDate, goals, completedOn, counts } = hunt
  const from = [breeders.join(', '), counted(seedCount, 'seed')].filter(Boolean).join(' · ')
  return (
    <Card interactive asChild className={cx(isSelected && 'border-leaf! ring-1 ring-leaf')}>
      <article aria-label={huntName}>
        <CardBody className="grid gap-4">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <h3 className="text-lg wrap-anywhere">
                  <Link
                    to="/pheno-hunt"
                    search={{ hunt: id }}
                    replace
                    resetScroll={false}
                    aria-current={isSelected ? 'true' : undefined}
                    className={cardLink}
                  >
                    {huntName}
                  </Link>
                </h3>
                <Badge variant={isActive ? 'leaf' : 'neutral'}>{isActive ? 'Active' : 'Completed'}</Badge>
                {hunt.isDemo && <Badge variant="outline">Demo</Badge>}
              </div>
              <p className="mt-0.5 text-muted text-sm wrap-anywhere">{from}</p>
            </div>
            <HuntMenu hunt={hunt} />
          </div>
          <StageTimeline hunt={hunt} />
          <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-4">
            <Figure name="Environment">{growEnvironment || '–'}</Figure>
            <Figure name={completedOn ? 'Completed' : 'Started'}>{dayOr(completedOn ?? germinationDate)}</Figure>
            <Figure name="Living plants">
              {formatNumber(counts.livingPlants)}
              {hunt.plantLimit !== null && (
                <span className={cx(counts.livingPlants > hunt.plantLimit ? 'font-medium text-clay' : 'text-muted')}>
                  {' '}
                  of {hunt.plantLimit}
                </span>
              )}
            </Figure>
            <Figure name="Keepers">{`${counts.keepers} of ${counts.genotypes}`}</Figure>
          </dl>
          {goals && <p className="line-clamp-2 text-muted text-sm wrap-anywhere">{goals}</p>}
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="flex items-center gap-1.5 text-muted text-xs [&_svg]:size-3.5">
              <VisibilityIcon hunt={hunt} />
              {visibilityWords(hunt)}
              {hunt.access !== 'own' && ` · ${hunt.owner.name}`}
            </p>
            <div className="relative z-1 flex flex-wrap gap-2">
              {isSelected && hunt.abilities.write && (
                <Button asChild variant="secondary" className="min-h-12">
                  <Link to="/pheno-hunt" search={{ tab: 'logs', hunt: id }}>
                    <NotebookPen aria-hidden="true" />
                    Quick Log
                  </Link>
                </Button>
              )}
              <Button asChild variant={isSelected ? 'primary' : 'secondary'} className="min-h-12">
                <Link to="/pheno-hunt/$id" params={{ id }}>
                  Open<span className="sr-only"> {huntName}</span>
                  <ArrowRight aria-hidden="true" />
                </Link>
              </Button>
            </div>
          </div>
        </CardBody>
      </article>
    </Card>
  )
}

const dayOr = (day: string | null) => (day ? <time dateTime={day}>{formatDay(day)}</time> : '–')

const Figure = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="min-w-0">
    <dt className="font-normal! text-muted text-xs">{name}</dt>
    <dd className="truncate tabular-nums">{children}</dd>
  </div>
)

function VisibilityIcon({ hunt }: { hunt: Hunt }) {
  if (hunt.visibility === 'public') return <Globe aria-hidden="true" />
  return hunt.access !== 'own' || hunt.sharesCount ? <Users aria-hidden="true" /> : <Lock aria-hidden="true" />
}

/**
 * Includes shared hunts. Selects the hunt in the address, or else the newest active one, or else the newest. `other` is set if the hunt in
 * the address isn't listed: another person's public hunt, or one on a later page.
 */
function useMyHunts(named: string | undefined) {
  const list = useInfiniteQuery(huntsOptions)
  const hunts = list.data?.pages.flatMap(({ items }) => items) ?? []
  const isOther = named !== undefined && list.isSuccess && !hunts.some(({ id }) => id === named)
  const query = useQuery({ ...huntOptions(named ?? ''), enabled: isOther })
  const isMissing = query.error instanceof ApiError && query.error.status === 404
  const other = isOther && !isMissing ? query : null
  const listed = hunts.find(({ id }) => id === named) ?? hunts.find(({ isActive }) => isActive) ?? hunts[0]
  return { list, other, hunts, selected: other ? other.data : listed }
}

type MyHunts = ReturnType<typeof useMyHunts>

const maxReady = 3

/** Prefetches the newest active hunts that the person can edit, so they work offline even if never opened. Requires offline storage. */
function useReadyHunts(hunts: readonly Hunt[]): void {
  const client = useQueryClient()
  const account = useCurrentUser()?.id
  const ids = hunts
    .filter(({ isActive, abilities }) => isActive && abilities.write)
    .slice(0, maxReady)
    .map(({ id }) => id)
    .join(' ')
  useEffect(() => {
    if (!account || ids === '') return
    whenCaching(account, () => void ready(ids.split(' ')).catch(() => undefined))
    async function ready(each: readonly string[]) {
      const { readyHunt } = await import('./ready-hunt.ts')
      for (const id of each) await readyHunt(client, id)
    }
  }, [client, account, ids])
}

type HuntPickerProps = { tab: PhenoHuntTab; hunts: readonly Hunt[]; selected: Hunt }

function HuntPicker({ tab, hunts, selected }: HuntPickerProps) {
  const router = useRouter()
  const choose = (hunt: string) => void router.navigate({ to: '/pheno-hunt', search: { tab, hunt }, replace: true, resetScroll: false })
  const options = hunts.some(({ id }) => id === selected.id) ? hunts : [selected, ...hunts]
  if (options.length === 1) return null
  return (
    <Field label="Hunt" className="sm:max-w-sm">
      <Select value={selected.id} onChange={(event) => choose(event.target.value)} className="[&_select]:min-h-12">
        {options.map(({ id, huntName, isActive }) => (
          <option key={id} value={id}>
            {huntName}
            {isActive ? '' : ' (completed)'}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function QuickStats() {
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
