import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AppealCard } from './appeal-card.tsx'
import { type AppealStatus, appealStatuses, appealsOptions } from './moderation.api.ts'

const names: Record<AppealStatus, string> = { open: 'Open', decided: 'Decided' }

/** For moderators of the site: whom an action concerns, and why they think it was wrong. */
export function AppealsQueue() {
  const [status, setStatus] = useState<AppealStatus>('open')
  const list = useInfiniteQuery(appealsOptions(status))
  const start = useRef<HTMLHeadingElement>(null)
  return (
    <div className="grid gap-4">
      <h3 ref={start} tabIndex={-1} className="sr-only">
        {status === 'open' ? 'Waiting, the oldest first' : 'Decided, the newest first'}
      </h3>
      <fieldset className="flex min-w-0 gap-2">
        <legend className="sr-only">Show</legend>
        {appealStatuses.map((each) => (
          <Chip key={each} pressed={each === status} onClick={() => setStatus(each)}>
            {names[each]}
          </Chip>
        ))}
      </fieldset>
      <PagedList
        list={list}
        loadingLabel="Loading appeals..."
        skeleton={<Skeleton className="h-60 rounded-card" />}
        failure="The appeals could not be loaded"
        empty={
          status === 'open' ? (
            <EmptyState
              level={3}
              title="No appeal is waiting"
              description="Against what was hidden or removed, and a warning, a mute, a suspension or a ban, one can appeal once. Another moderator than the one who acted decides."
            />
          ) : (
            <EmptyState level={3} title="No appeal was decided yet" description="What was decided stays here." />
          )
        }
      >
        {(appeals) => (
          <ul className="grid gap-4">
            {appeals.map((appeal) => (
              <li key={appeal.id}>
                <AppealCard appeal={appeal} onDecided={() => start.current?.focus()} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}
