import { useQuery } from '@tanstack/react-query'
import { leastReactions, reactionDays } from '../../../contracts/drafts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Note, Section } from './draft-lists.tsx'
import { bestTimesOptions } from './drafts.api.ts'
import { hourWords } from './schedule-time.ts'

const mostShown = 6

/** The hours in which this business's posts were liked and commented on most, with how often. */
export function BestTimes({ businessId }: { businessId: string }) {
  const { data, error, refetch, isFetching } = useQuery(bestTimesOptions(businessId))
  return (
    <Section title="Best times">
      {!data && !error && (
        <SkeletonGroup label="Loading best times...">
          <Skeleton className="h-44 rounded-card" />
        </SkeletonGroup>
      )}
      {!data && error && (
        <ErrorState
          level={3}
          title="The times could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      )}
      {data && data.hours.length === 0 && <Note>{nothingToSay(data.reactionCount)}</Note>}
      {data && data.hours.length > 0 && (
        <Card>
          <CardBody className="grid gap-3">
            <table className="w-full text-sm">
              <caption className="sr-only">Likes and comments by hour of the week</caption>
              <thead className="sr-only">
                <tr>
                  <th scope="col">Hour</th>
                  <th scope="col">Likes and comments</th>
                </tr>
              </thead>
              <tbody>
                {data.hours.slice(0, mostShown).map((each) => (
                  <tr key={`${each.weekday} ${each.hour}`}>
                    <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                      {hourWords(each)}
                      <span
                        aria-hidden="true"
                        className="mt-1 block h-1.5 rounded-full bg-leaf"
                        style={{ width: `${(100 * each.reactionCount) / (data.hours[0]?.reactionCount ?? 1)}%` }}
                      />
                    </th>
                    <td className="py-1.5 text-right align-top font-medium tabular-nums">{formatNumber(each.reactionCount)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p className="text-muted text-xs">
              When {formatNumber(data.reactionCount)} likes and comments came in the last {reactionDays} days, on the clock of{' '}
              {data.timeZone.replaceAll('_', ' ')}. Hours with fewer than five people are left out.
            </p>
          </CardBody>
        </Card>
      )}
    </Section>
  )
}

function nothingToSay(reactionCount: number): string {
  if (reactionCount < leastReactions) {
    return `Your posts got ${reactionCount} likes and comments in the last ${reactionDays} days. From ${leastReactions} on, this shows when people react.`
  }
  return 'No hour of the week stands out yet: in none did five different people react.'
}
