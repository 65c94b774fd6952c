import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LoggedDecision, ModerationCounts } from '#contracts/moderation.endpoints.ts'
import { reasonOf } from '#contracts/moderation.rules.ts'
import { actionReasonTitle, subjectTitle } from '#web/entities/account-status/account-status-words.ts'
import { brand } from '#web/lib/boot.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { formatNumber, localDateFormat } from '#web/lib/format.ts'
import { ActionLink } from '#web/ui/action-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { daysWords } from './decision-draft.ts'
import { doneNames, hoursWords } from './desk-words.ts'
import { countedDays, countsOptions, logOptions } from './moderation.api.ts'

/** Public, so it doesn't name people. */
export function ModerationLogScreen() {
  return (
    <div className="mx-auto max-w-page px-4 pt-10 pb-20 sm:px-6 sm:pt-14">
      <header className="max-w-text">
        <h1 className="text-3xl sm:text-4xl">Moderation log</h1>
        <p className="mt-4 text-lg text-muted">
          What moderators of {brand.name} did and why. We don’t name anyone or show what was written.
        </p>
        <p className="mt-3 text-muted">
          See the{' '}
          <Link to="/guidelines" className={textLink}>
            community guidelines
          </Link>{' '}
          for the rules. People receive the reasons for any action against them and can appeal to another moderator.
        </p>
      </header>
      <LogCounts />
      <LogList />
    </div>
  )
}

function LogCounts() {
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
        failure="The figures couldn’t be loaded"
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
        <Figure name="Auto-held">{number(held)}</Figure>
        <Figure name="Decisions">{number(decisions)}</Figure>
        <Figure name="Appeals">{number(appeals)}</Figure>
        <Figure name="Overturned">{number(overturned)}</Figure>
        <Figure name="Median response time">{medianHours === null ? 'No data yet' : hoursWords(medianHours)}</Figure>
      </dl>
      {(reports > 0 || decisions > 0) && (
        <div className="grid gap-4 md:grid-cols-2">
          <Bars title="Reports by reason" rows={reportsByReason.map(({ reason, count }) => ({ name: reasonOf(reason).title, count }))} />
          <Bars title="Actions" rows={actions.map(({ action, count }) => ({ name: doneNames[action], count }))} />
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

/** Bars are relative to the largest figure, and don't add information. */
function Bars({ title, rows }: BarsProps) {
  const shown = rows.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
  const maxCount = shown[0]?.count ?? 1
  return (
    <section aria-label={title} className="rounded-card border border-line bg-surface p-4 sm:p-5">
      <h3 className="mb-3.5 font-semibold font-text text-base tracking-normal">{title}</h3>
      {shown.length === 0 ? (
        <p className="text-muted text-sm">None.</p>
      ) : (
        <dl className="grid gap-3">
          {shown.map(({ name, count }) => (
            <div key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-sm">
              <dt className="font-normal!">{name}</dt>
              <dd className="tabular-nums">{number(count)}</dd>
              <div aria-hidden="true" className="col-span-2 h-1.5 overflow-clip rounded-full bg-sunk">
                <div className="h-full rounded-full bg-leaf" style={{ width: `${(count / maxCount) * 100}%` }} />
              </div>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

function LogList() {
  const list = useInfiniteQuery(logOptions)
  return (
    <section aria-labelledby="log-list" className="mt-12">
      <h2 id="log-list" className="mb-4 text-xl">
        All decisions
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading the log..."
        skeleton={<Skeleton className="h-11" />}
        failure="The log couldn’t be loaded"
        cards="whole"
        empty={<ListNote title="No decisions yet">Moderators’ decisions appear here.</ListNote>}
      >
        {(decisions) => (
          <>
            <LogTable decisions={decisions} />
            <LogCards decisions={decisions} />
          </>
        )}
      </PagedList>
    </section>
  )
}

const moment = localDateFormat({ month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' })

const outcomes: Record<LoggedDecision['outcome'], { word: string; variant: 'neutral' | 'outline' | 'leaf' }> = {
  stands: { word: 'In effect', variant: 'outline' },
  undone: { word: 'Undone', variant: 'neutral' },
  overturned: { word: 'Overturned on appeal', variant: 'leaf' },
}

/** Rows don't have IDs and may be equal. */
const keyed = (decisions: readonly LoggedDecision[]) => decisions.map((decision, place) => ({ decision, key: `${decision.at} ${place}` }))

function LogTable({ decisions }: { decisions: readonly LoggedDecision[] }) {
  return (
    <Card className="max-md:hidden">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-line border-b text-muted">
            {['When', 'Decision', 'About', 'Reason', 'By', 'Status'].map((name) => (
              <th key={name} scope="col" className="px-4 py-2.5 font-normal first:pl-5 last:pr-5">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(decisions).map(({ decision, key }) => (
            <tr
              key={key}
              className="border-line align-top not-last:border-b [&>td]:px-4 [&>td]:py-2.5 [&>td:first-child]:pl-5 [&>td:last-child]:pr-5"
            >
              <td className="whitespace-nowrap text-muted tabular-nums">
                <time dateTime={decision.at}>{moment.format(new Date(decision.at))}</time>
              </td>
              <td className="font-medium">{decisionWords(decision)}</td>
              <td>{subjectTitle(decision.subject)}</td>
              <td>{actionReasonTitle(decision.reason)}</td>
              <td className="text-muted wrap-anywhere">
                <By decision={decision} />
              </td>
              <td>
                <Badge variant={outcomes[decision.outcome].variant}>{outcomes[decision.outcome].word}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function LogCards({ decisions }: { decisions: readonly LoggedDecision[] }) {
  return (
    <ul className="grid gap-3 md:hidden">
      {keyed(decisions).map(({ decision, key }) => (
        <li key={key} className="grid gap-1 rounded-card border border-line bg-surface p-4">
          <p className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <span className="font-medium">
              {decisionWords(decision)} · {subjectTitle(decision.subject).toLowerCase()}
            </span>
            <Badge variant={outcomes[decision.outcome].variant}>{outcomes[decision.outcome].word}</Badge>
          </p>
          <p className="text-sm">{actionReasonTitle(decision.reason)}</p>
          <p className="text-muted text-sm">
            <time dateTime={decision.at}>{moment.format(new Date(decision.at))}</time> · <By decision={decision} />
          </p>
        </li>
      ))}
    </ul>
  )
}

const decisionWords = ({ action, days }: LoggedDecision) =>
  days === null ? doneNames[action] : `${doneNames[action]} for ${daysWords(days)}`

/** Visitors see only the name, because communities are for members. */
function By({ decision: { isForSite, community } }: { decision: LoggedDecision }) {
  const user = useCurrentUser()
  if (!community) return isForSite ? 'The site' : 'A community'
  if (!user) return community.name
  return (
    <ActionLink href={`/communities/${community.slug}`} className={textLink}>
      {community.name}
    </ActionLink>
  )
}
