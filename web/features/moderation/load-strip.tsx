import { useQuery } from '@tanstack/react-query'
import type { ModerationLoad } from '../../../contracts/moderation.ts'
import { formatNumber } from '../../lib/format.ts'
import { useNow } from '../../ui/ago.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/cx.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { hoursWords, spanWords } from './desk-words.ts'
import { loadOptions, type Scope } from './moderation.api.ts'

/** How much waits, since when, and who has how much of it. */
export function LoadStrip({ scope }: { scope: Scope }) {
  const load = useQuery(loadOptions(scope))
  return (
    <Loaded
      query={load}
      loadingLabel="Loading figures..."
      skeleton={<Skeleton className="h-19 rounded-card" />}
      failure="The figures could not be loaded"
    >
      {(figures) => <Figures load={figures} />}
    </Loaded>
  )
}

function Figures({ load }: { load: ModerationLoad }) {
  const now = useNow()
  const { open, held, overdue, oldestAt, medianHours, moderators } = load
  return (
    <section aria-label="Load" className="rounded-card border border-line bg-surface">
      <dl className="grid grid-cols-6 gap-x-4 gap-y-3 px-4 py-3.5 @xl:grid-cols-5 sm:px-5">
        <Figure name="Open">{formatNumber(open)}</Figure>
        <Figure name="Held by a filter">{formatNumber(held)}</Figure>
        <Figure name="Overdue" isGrave={overdue > 0}>
          {formatNumber(overdue)}
        </Figure>
        <Figure name="Oldest">{oldestAt ? spanWords(Math.max(0, now - Date.parse(oldestAt))) : 'None'}</Figure>
        <Figure name="Usually decided in">{medianHours === null ? 'Not known yet' : hoursWords(medianHours)}</Figure>
      </dl>
      {moderators.length > 0 && (
        <ul
          aria-label="By moderator, in 30 days"
          className="flex flex-wrap gap-x-6 gap-y-2 border-line border-t px-4 py-2.5 text-sm sm:px-5"
        >
          {moderators.map(({ id, name, assigned, decided }) => (
            <li key={id} className="flex min-w-0 items-center gap-2">
              <Avatar id={id} name={name} size="xs" />
              <span className="truncate">{name}</span>
              <span className="text-muted whitespace-nowrap tabular-nums">
                {assigned} taken · {decided} decided
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const Figure = ({ name, isGrave = false, children }: { name: string; isGrave?: boolean; children: string }) => (
  // In two rows where it is narrow: the figures that are words have more room.
  <div className="@max-xl:col-span-2 @max-xl:nth-[n+4]:col-span-3">
    <dt className="font-normal! text-muted text-xs">{name}</dt>
    <dd className={cx('font-semibold text-lg tabular-nums', isGrave && 'text-clay')}>{children}</dd>
  </div>
)
