import { useQuery } from '@tanstack/react-query'
import type { ModerationCounts } from '../../../contracts/moderation-log.ts'
import { formatNumber } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { reasonTitle } from '../reports/report-words.ts'
import { doneNames, hoursWords } from './desk-words.ts'
import { countedDays, countsOptions } from './moderation.api.ts'

/** How much was reported, held, done and appealed lately. */
export function LogCounts() {
  const counts = useQuery(countsOptions)
  return (
    <section aria-labelledby="log-counts" className="mt-10">
      <h2 id="log-counts" className="mb-4 text-xl">
        The last {countedDays} days
      </h2>
      <Loaded
        query={counts}
        loadingLabel="Loading the figures..."
        skeleton={
          <span className="grid gap-4">
            <Skeleton className="h-24 rounded-card" />
            <Skeleton className="h-52 rounded-card" />
          </span>
        }
        failure="The figures could not be loaded"
      >
        {(figures) => <Figures counts={figures} />}
      </Loaded>
    </section>
  )
}

const number = (count: number) => formatNumber(count)

function Figures({ counts }: { counts: ModerationCounts }) {
  const { reports, held, actions, appeals, overturned, medianHours, reportsByReason } = counts
  const decisions = actions.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 rounded-card border border-line bg-surface p-4 sm:grid-cols-3 sm:p-5 lg:grid-cols-6">
        <Figure name="Reports">{number(reports)}</Figure>
        <Figure name="Held by filters">{number(held)}</Figure>
        <Figure name="Decisions">{number(decisions)}</Figure>
        <Figure name="Appeals">{number(appeals)}</Figure>
        <Figure name="Overturned">{number(overturned)}</Figure>
        <Figure name="Usually decided in">{medianHours === null ? 'Not known yet' : hoursWords(medianHours)}</Figure>
      </dl>
      {(reports > 0 || decisions > 0) && (
        <div className="grid gap-4 md:grid-cols-2">
          <Bars title="What was reported" rows={reportsByReason.map(({ reason, count }) => ({ name: reasonTitle(reason), count }))} />
          <Bars title="What was done" rows={actions.map(({ action, count }) => ({ name: doneNames[action], count }))} />
        </div>
      )}
    </div>
  )
}

const Figure = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt className="font-normal! text-muted text-sm">{name}</dt>
    <dd className="mt-0.5 font-semibold text-xl tabular-nums">{children}</dd>
  </div>
)

type BarsProps = { title: string; rows: { name: string; count: number }[] }

/** Figures with a bar each, as long as its share of the largest. The numbers say all that the bars do. */
function Bars({ title, rows }: BarsProps) {
  const shown = rows.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
  const most = shown[0]?.count ?? 1
  return (
    <section aria-label={title} className="rounded-card border border-line bg-surface p-4 sm:p-5">
      <h3 className="mb-3.5 font-semibold font-text text-base tracking-normal">{title}</h3>
      {shown.length === 0 ? (
        <p className="text-muted text-sm">Nothing.</p>
      ) : (
        <dl className="grid gap-3">
          {shown.map(({ name, count }) => (
            <div key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-sm">
              <dt className="font-normal!">{name}</dt>
              <dd className="tabular-nums">{number(count)}</dd>
              <div aria-hidden="true" className="col-span-2 h-1.5 overflow-clip rounded-full bg-sunk">
                <div className="h-full rounded-full bg-leaf" style={{ width: `${(count / most) * 100}%` }} />
              </div>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
