import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Draft } from '../../../contracts/drafts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { useNow } from '../../ui/ago.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { DraftRow } from './draft-row.tsx'
import { draftsOptions } from './drafts.api.ts'
import { byDay } from './schedule-time.ts'

/** What goes out when, and what waits to be finished: two sections that come and fail together. */
export function DraftLists({ businessId }: { businessId: string }) {
  const { data, error, refetch, isFetching } = useQuery(draftsOptions(businessId))
  const now = useNow()
  // A row that is moved, published or deleted takes the focus of its menu along.
  const lists = useKeptFocus<HTMLDivElement>(data?.map(({ id, status }) => `${id} ${status}`).join() ?? '')
  const overdue = data?.some(({ status, publishAt }) => status === 'scheduled' && Date.parse(publishAt ?? '') < now)
  // The clock of the page ticks each minute; what was due by then is out or refused.
  useEffect(() => {
    if (overdue && now) void refetch()
  }, [overdue, now, refetch])

  if (!data) {
    if (!error) {
      return (
        <SkeletonGroup label="Loading drafts..." className="grid gap-2">
          <Skeleton className="mb-2 h-6 w-32" />
          <Skeleton className="h-18 rounded-card" />
          <Skeleton className="h-18 rounded-card" />
        </SkeletonGroup>
      )
    }
    return (
      <ErrorState
        level={3}
        title="Your drafts could not be loaded"
        description={messageOf(error)}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  }
  const days = byDay(
    data.filter(({ status }) => status === 'scheduled'),
    new Date(now),
  )
  const drafts = waiting(data)
  return (
    <div {...lists} className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section title="Scheduled">
        {days.length === 0 && <Note>Nothing is scheduled. Write a post and choose Schedule to have it published at a time.</Note>}
        {days.map(({ day, label, items }) => (
          <div key={day} className="grid gap-1">
            <h3 className="font-text font-medium text-muted text-sm">{label}</h3>
            <Rows drafts={items} />
          </div>
        ))}
      </Section>
      <Section title="Drafts">
        {drafts.length === 0 ? (
          <Note>No drafts. What you save as a draft is kept here for everybody in the team.</Note>
        ) : (
          <Rows drafts={drafts} />
        )}
      </Section>
    </div>
  )
}

/** Drafts under the own name, where there are any: below the form in which they begin. */
export function OwnDrafts() {
  const { data = [] } = useQuery(draftsOptions())
  if (data.length === 0) return null
  const scheduled = data.filter(({ status }) => status === 'scheduled').sort((a, b) => (a.publishAt ?? '').localeCompare(b.publishAt ?? ''))
  return (
    <section className="mt-8 grid gap-3">
      <h2 className="text-xl">Your drafts</h2>
      <Rows drafts={[...scheduled, ...waiting(data)]} withDay />
    </section>
  )
}

/** What failed first: it needs somebody. */
const waiting = (drafts: readonly Draft[]) => [
  ...drafts.filter(({ status }) => status === 'failed'),
  ...drafts.filter(({ status }) => status === 'draft').sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)),
]

function Rows({ drafts, withDay = false }: { drafts: readonly Draft[]; withDay?: boolean }) {
  return (
    <Card asChild className="overflow-visible!">
      <ul className="divide-y divide-line px-4 sm:px-5">
        {drafts.map((draft) => (
          <li key={draft.id}>
            <DraftRow draft={draft} withDay={withDay} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

export const Note = ({ children }: { children: ReactNode }) => (
  <p className="rounded-card border border-line border-dashed px-5 py-6 text-muted text-sm">{children}</p>
)
