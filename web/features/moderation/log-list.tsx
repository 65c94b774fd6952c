import { useInfiniteQuery } from '@tanstack/react-query'
import type { LoggedDeed } from '../../../contracts/moderation-log.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { localDateFormat } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ActionLink } from '../notifications/action-link.tsx'
import { actionReasonTitle, subjectTitle } from '../standing/standing-words.ts'
import { daysWords } from './decision-draft.ts'
import { doneNames } from './desk-words.ts'
import { logOptions } from './moderation.api.ts'

/** Each action, the newest first: a table where there is room for one, cards on a phone. */
export function LogList() {
  const list = useInfiniteQuery(logOptions)
  return (
    <section aria-labelledby="log-list" className="mt-12">
      <h2 id="log-list" className="mb-4 text-xl">
        Each decision
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading the log..."
        skeleton={<Skeleton className="h-11" />}
        failure="The log could not be loaded"
        cards="whole"
        empty={<ListNote title="Nothing was decided yet">What moderators do is written down here as they do it.</ListNote>}
      >
        {(deeds) => (
          <>
            <LogTable deeds={deeds} />
            <LogCards deeds={deeds} />
          </>
        )}
      </PagedList>
    </section>
  )
}

const moment = localDateFormat({ month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' })

const outcomes: Record<LoggedDeed['outcome'], { word: string; variant: 'neutral' | 'outline' | 'leaf' }> = {
  stands: { word: 'Stands', variant: 'outline' },
  undone: { word: 'Undone', variant: 'neutral' },
  overturned: { word: 'Overturned on appeal', variant: 'leaf' },
}

/** Lines have no ids, and equal ones happen. */
const keyed = (deeds: readonly LoggedDeed[]) => deeds.map((deed, place) => ({ deed, key: `${deed.at} ${place}` }))

function LogTable({ deeds }: { deeds: readonly LoggedDeed[] }) {
  return (
    <Card className="max-md:hidden">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-line border-b text-muted">
            {['When', 'Decision', 'About', 'Reason', 'By', 'Now'].map((name) => (
              <th key={name} scope="col" className="px-4 py-2.5 font-normal first:pl-5 last:pr-5">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(deeds).map(({ deed, key }) => (
            <tr
              key={key}
              className="border-line align-top not-last:border-b [&>td]:px-4 [&>td]:py-2.5 [&>td:first-child]:pl-5 [&>td:last-child]:pr-5"
            >
              <td className="whitespace-nowrap text-muted tabular-nums">
                <time dateTime={deed.at}>{moment.format(new Date(deed.at))}</time>
              </td>
              <td className="font-medium">{decisionWords(deed)}</td>
              <td>{subjectTitle(deed.subject)}</td>
              <td>{actionReasonTitle(deed.reason)}</td>
              <td className="text-muted wrap-anywhere">
                <By community={deed.community} />
              </td>
              <td>
                <Badge variant={outcomes[deed.outcome].variant}>{outcomes[deed.outcome].word}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function LogCards({ deeds }: { deeds: readonly LoggedDeed[] }) {
  return (
    <ul className="grid gap-3 md:hidden">
      {keyed(deeds).map(({ deed, key }) => (
        <li key={key} className="grid gap-1 rounded-card border border-line bg-surface p-4">
          <p className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <span className="font-medium">
              {decisionWords(deed)} · {subjectTitle(deed.subject).toLowerCase()}
            </span>
            <Badge variant={outcomes[deed.outcome].variant}>{outcomes[deed.outcome].word}</Badge>
          </p>
          <p className="text-sm">{actionReasonTitle(deed.reason)}</p>
          <p className="text-muted text-sm">
            <time dateTime={deed.at}>{moment.format(new Date(deed.at))}</time> · <By community={deed.community} />
          </p>
        </li>
      ))}
    </ul>
  )
}

const decisionWords = ({ action, days }: LoggedDeed) => (days === null ? doneNames[action] : `${doneNames[action]} for ${daysWords(days)}`)

/** A community is read by members: visitors are shown its name alone. */
function By({ community }: Pick<LoggedDeed, 'community'>) {
  const user = useCurrentUser()
  if (!community) return 'The site'
  if (!user) return community.name
  return (
    <ActionLink href={`/communities/${community.slug}`} className={textLink}>
      {community.name}
    </ActionLink>
  )
}
