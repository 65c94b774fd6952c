import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Copy, Flag, Hourglass, Keyboard, UserRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ModerationCase, ModerationLoad } from '#contracts/moderation.ts'
import type { ListPage } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Ago, useNow } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CaseClock, CaseView } from './case-view.tsx'
import { caseCause, caseTitle, hoursWords, spanWords, stateNames } from './desk-words.ts'
import { type CaseFilter, caseFilters, casesOptions, loadOptions, type Scope } from './moderation.api.ts'
import { ShortcutList, useShortcuts } from './shortcuts.tsx'

const hashStart = 'case-'

/** The address names the open case, so Back returns to the list and people can link to a case. */
export function CaseDesk({ scope }: { scope: Scope }) {
  const load = useQuery(loadOptions(scope)).data
  const [chosen, setFilter] = useState<CaseFilter | null>(null)
  // Show held cases first if nothing else is waiting.
  const filter = chosen ?? (load && load.held > 0 && load.reported === 0 ? 'held' : 'reports')
  const [isHelpOpen, setHelpOpen] = useState(false)
  // Opening a case moves focus to it, unless a keyboard shortcut opened it.
  const [takesFocus, setTakesFocus] = useState(false)
  const hash = useLocation({ select: (location) => location.hash })
  const openId = hash.startsWith(hashStart) ? hash.slice(hashStart.length) : null
  const navigate = useNavigate()
  const list = useInfiniteQuery(casesOptions(scope, filter))
  const cases = list.data?.pages.flatMap((page) => page.items) ?? []

  // A decided case leaves the list, so the next one takes its index.
  const place = useRef(-1)
  const index = cases.findIndex(({ id }) => id === openId)
  useEffect(() => {
    if (index >= 0) place.current = index
  }, [index])

  const show = (id: string | null, replace: boolean) =>
    void navigate({ to: '.', search: true, hash: id ? hashStart + id : '', replace, resetScroll: false, hashScrollIntoView: false })

  const isChoosable = list.isPending || cases.length > 0

  const open = (id: string) => {
    setTakesFocus(true)
    show(id, openId !== null)
  }

  const leave = () => {
    show(null, false)
    requestAnimationFrame(() => openId && document.getElementById(caseLinkId(openId))?.focus())
  }

  const step = (by: 1 | -1) => {
    const from = index >= 0 ? index + by : by === 1 ? Math.max(place.current, 0) : place.current - 1
    const next = cases[Math.min(Math.max(from, 0), cases.length - 1)]
    if (!next) return
    setTakesFocus(false)
    show(next.id, openId !== null)
    if (from >= cases.length - 2 && list.hasNextPage && !list.isFetching) void list.fetchNextPage()
    const link = document.getElementById(caseLinkId(next.id))
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts({ j: () => step(1), k: () => step(-1), '?': () => setHelpOpen(true) })

  return (
    <div className="@container/desk">
      <div className={cx('grid grid-cols-1 gap-4', openId && '@max-2xl/desk:hidden')}>
        <LoadStrip scope={scope} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <CaseFilters scope={scope} value={filter} onChange={setFilter} />
          <Button variant="quiet" size="sm" className="pointer-coarse:hidden @max-2xl/desk:hidden" onClick={() => setHelpOpen(true)}>
            <Keyboard aria-hidden="true" />
            Shortcuts
          </Button>
        </div>
      </div>
      <div
        className={cx(
          'mt-4 grid grid-cols-1 items-start gap-5',
          (openId || isChoosable) && '@2xl/desk:grid-cols-[minmax(14rem,18rem)_minmax(0,1fr)]',
        )}
      >
        <section
          aria-label="Case list"
          className={cx(
            '@2xl/desk:sticky @2xl/desk:top-20 @2xl/desk:-m-1 @2xl/desk:max-h-[calc(100dvh-6rem)] @2xl/desk:overflow-y-auto @2xl/desk:p-1',
            openId && '@max-2xl/desk:hidden',
          )}
        >
          <CaseList list={list} scope={scope} filter={filter} openId={openId} onOpen={open} />
        </section>
        {openId ? (
          <CaseView key={openId} id={openId} actsFor={scope === 'site' ? 'site' : 'community'} takesFocus={takesFocus} onBack={leave} />
        ) : (
          isChoosable && (
            <div className="rounded-card border border-line border-dashed p-8 @max-2xl/desk:hidden">
              <p className="font-medium">Choose a case</p>
              <p className="mt-1 text-muted text-sm">The case will open here with its context.</p>
              <div className="mt-6 pointer-coarse:hidden max-w-sm">
                <p className="mb-3 text-muted text-sm">Keyboard shortcuts:</p>
                <ShortcutList />
              </div>
            </div>
          )
        )}
      </div>
      <Dialog open={isHelpOpen} onOpenChange={setHelpOpen}>
        <DialogContent title="Keyboard shortcuts">
          <ShortcutList />
        </DialogContent>
      </Dialog>
    </div>
  )
}

const names: Record<CaseFilter, string> = { reports: 'Reports', held: 'Auto-held', mine: 'Mine', decided: 'Decided' }

type CaseFiltersProps = { scope: Scope; value: CaseFilter; onChange: (filter: CaseFilter) => void }

function CaseFilters({ scope, value, onChange }: CaseFiltersProps) {
  const load = useQuery(loadOptions(scope)).data
  const counts: Partial<Record<CaseFilter, number>> = load ? { reports: load.reported, held: load.held } : {}
  return (
    <fieldset className="-mx-1 flex min-w-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none]">
      <legend className="sr-only">Show</legend>
      {caseFilters.map((filter) => (
        <Chip key={filter} pressed={filter === value} onClick={() => onChange(filter)}>
          {names[filter]}
          {counts[filter] !== undefined && <span className="tabular-nums opacity-75">{formatNumber(counts[filter])}</span>}
        </Chip>
      ))}
    </fieldset>
  )
}

const caseLinkId = (id: string) => `open-case-${id}`

const empty: Record<CaseFilter, { title: string; description: string }> = {
  reports: { title: 'No reports', description: 'Reports and possible duplicates appear here, most urgent first.' },
  held: { title: 'Nothing held', description: 'Content held by a filter appears here for review.' },
  mine: { title: 'No claimed cases', description: 'Claim a case so others can see you’re working on it.' },
  decided: { title: 'No decided cases yet', description: 'Decided cases appear here. You can undo decisions.' },
}

type CaseListProps = {
  list: UseInfiniteQueryResult<{ pages: ListPage<ModerationCase>[] }>
  scope: Scope
  filter: CaseFilter
  openId: string | null
  onOpen: (id: string) => void
}

function CaseList({ list, scope, filter, openId, onOpen }: CaseListProps) {
  return (
    <PagedList
      list={list}
      loadingLabel="Loading cases..."
      skeleton={<Skeleton className="h-24 rounded-card" />}
      failure="The cases couldn’t be loaded"
      empty={<EmptyState level={3} {...empty[filter]} />}
    >
      {(cases) => (
        <ul className="grid grid-cols-1 gap-2">
          {cases.map((each) => (
            <li key={each.id}>
              <CaseRow item={each} scope={scope} isOpen={each.id === openId} onOpen={() => onOpen(each.id)} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  )
}

type CaseRowProps = { item: ModerationCase; scope: Scope; isOpen: boolean; onOpen: () => void }

function CaseRow({ item, scope, isOpen, onOpen }: CaseRowProps) {
  const { id, subject, title, excerpt, source, community, openedAt, decidedAt, assignedTo, isMine, state, status } = item
  const name = caseTitle(item)
  const Icon = source === 'report' ? Flag : source === 'check' ? Copy : Hourglass
  const text = subject === 'message' ? 'Open the case to read it' : [title !== name && title, excerpt].filter(Boolean).join(' · ')
  return (
    <Link
      id={caseLinkId(id)}
      to="."
      search
      hash={`case-${id}`}
      resetScroll={false}
      hashScrollIntoView={false}
      aria-current={isOpen ? 'true' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
      }}
      className={cx(
        'grid grid-cols-1 gap-1.5 rounded-card border px-3.5 py-3 text-sm transition-colors',
        isOpen ? 'border-leaf bg-leaf-soft' : 'border-line bg-surface hover:border-edge',
      )}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate font-semibold">{name}</span>
        <Ago at={decidedAt ?? openedAt} className="shrink-0 text-muted text-xs" />
      </span>
      {(text !== '' || !item.isThere) && (
        <span className={cx('line-clamp-2 wrap-anywhere', (subject === 'message' || !item.isThere) && 'text-muted')}>
          {item.isThere ? text : 'No longer available'}
        </span>
      )}
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
        <span className="flex items-center gap-1">
          <Icon aria-hidden="true" className="size-3.5 shrink-0" />
          {caseCause(item)}
        </span>
        {community && scope === 'site' && <span className="truncate">{community.name}</span>}
        {state && <span>{stateNames[state]}</span>}
        {status === 'open' && assignedTo && (
          <span className="flex items-center gap-1">
            <UserRound aria-hidden="true" className="size-3.5 shrink-0" />
            {isMine ? 'You' : assignedTo.name}
          </span>
        )}
      </span>
      <CaseClock item={item} />
    </Link>
  )
}

function LoadStrip({ scope }: { scope: Scope }) {
  const load = useQuery(loadOptions(scope))
  return (
    <Loaded
      query={load}
      loadingLabel="Loading figures..."
      skeleton={<Skeleton className="h-19 rounded-card" />}
      failure="The figures couldn’t be loaded"
    >
      {(figures) => <Figures load={figures} />}
    </Loaded>
  )
}

function Figures({ load }: { load: ModerationLoad }) {
  const now = useNow()
  const { open, held, overdue, oldestAt, medianHours, moderators } = load
  return (
    <section aria-label="Workload" className="rounded-card border border-line bg-surface">
      <dl className="grid grid-cols-6 gap-x-4 gap-y-3 px-4 py-3.5 @xl:grid-cols-5 sm:px-5">
        <Figure name="Open">{formatNumber(open)}</Figure>
        <Figure name="Auto-held">{formatNumber(held)}</Figure>
        <Figure name="Overdue" isGrave={overdue > 0}>
          {formatNumber(overdue)}
        </Figure>
        <Figure name="Oldest">{oldestAt ? spanWords(Math.max(0, now - Date.parse(oldestAt))) : 'None'}</Figure>
        <Figure name="Median response time">{medianHours === null ? 'No data yet' : hoursWords(medianHours)}</Figure>
      </dl>
      {moderators.length > 0 && (
        <ul
          aria-label="By moderator, last 30 days"
          className="flex flex-wrap gap-x-6 gap-y-2 border-line border-t px-4 py-2.5 text-sm sm:px-5"
        >
          {moderators.map(({ id, name, assigned, decided }) => (
            <li key={id} className="flex min-w-0 items-center gap-2">
              <Avatar id={id} name={name} size="xs" />
              <span className="truncate">{name}</span>
              <span className="text-muted whitespace-nowrap tabular-nums">
                {assigned} claimed · {decided} decided
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const Figure = ({ name, isGrave = false, children }: { name: string; isGrave?: boolean; children: string }) => (
  // Narrow containers have two rows, with more room for textual figures.
  <div className="@max-xl:col-span-2 @max-xl:nth-[n+4]:col-span-3">
    <dt className="font-normal! text-muted text-xs">{name}</dt>
    <dd className={cx('font-semibold text-lg tabular-nums', isGrave && 'text-clay')}>{children}</dd>
  </div>
)

export function ModerationQueue() {
  return <CaseDesk scope="site" />
}

/** Excludes cases reserved for site moderators. */
export function CommunityQueue({ communityId }: { communityId: string }) {
  return <CaseDesk scope={communityId} />
}
