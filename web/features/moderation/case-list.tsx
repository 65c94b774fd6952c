import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy, Flag, Hourglass, UserRound } from 'lucide-react'
import type { ModerationCase } from '../../../contracts/moderation.ts'
import type { ListPage } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CaseClock } from './case-clock.tsx'
import { caseCause, caseTitle, stateNames } from './desk-words.ts'
import type { CaseFilter } from './moderation.api.ts'

export const caseLinkId = (id: string) => `open-case-${id}`

const empty: Record<CaseFilter, { title: string; description: string }> = {
  reports: { title: 'No reports', description: 'What people report, and possible duplicates, will be here, the most urgent first.' },
  held: { title: 'Nothing is held', description: 'What a filter holds back waits here until somebody has looked at it.' },
  mine: { title: 'You have taken no case', description: 'Take one, and others see that you are at it.' },
  decided: { title: 'Nothing is decided yet', description: 'What was decided stays here, with the way back.' },
}

type CaseListProps = {
  list: UseInfiniteQueryResult<{ pages: ListPage<ModerationCase>[] }>
  filter: CaseFilter
  openId: string | null
  onOpen: (id: string) => void
}

/** What waits: the due ones first, then the oldest. */
export function CaseList({ list, filter, openId, onOpen }: CaseListProps) {
  return (
    <PagedList
      list={list}
      loadingLabel="Loading cases..."
      skeleton={<Skeleton className="h-24 rounded-card" />}
      failure="The cases could not be loaded"
      empty={<EmptyState level={3} {...empty[filter]} />}
    >
      {(cases) => (
        <ul className="grid grid-cols-1 gap-2">
          {cases.map((each) => (
            <li key={each.id}>
              <CaseRow item={each} isOpen={each.id === openId} onOpen={() => onOpen(each.id)} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  )
}

function CaseRow({ item, isOpen, onOpen }: { item: ModerationCase; isOpen: boolean; onOpen: () => void }) {
  const { id, subject, title, excerpt, source, community, openedAt, decidedAt, assignedTo, isMine, state, status } = item
  const name = caseTitle(item)
  const Icon = source === 'report' ? Flag : source === 'check' ? Copy : Hourglass
  // A message is read in its case alone.
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
          {item.isThere ? text : 'It is not there any more'}
        </span>
      )}
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
        <span className="flex items-center gap-1">
          <Icon aria-hidden="true" className="size-3.5 shrink-0" />
          {caseCause(item)}
        </span>
        {community && <span className="truncate">{community.name}</span>}
        {state && <span>{stateNames[state]}</span>}
        {status === 'open' && assignedTo && (
          <span className="flex items-center gap-1">
            <UserRound aria-hidden="true" className="size-3.5 shrink-0" />
            {isMine ? 'Yours' : assignedTo.name}
          </span>
        )}
      </span>
      <CaseClock item={item} />
    </Link>
  )
}
