import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { HuntEvent } from '#contracts/hunts.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { shortDay } from '#web/entities/hunts/hunt-words.ts'
import { huntActivityOptions, ownActivityOptions } from '#web/entities/hunts/hunts.api.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { localDay } from '#web/lib/time-words.ts'
import { shown, storedUnits, type Units, unitName, useUnits } from '#web/lib/units.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Card } from '#web/ui/card.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonText } from '#web/ui/skeleton.tsx'
import { HuntComments } from './hunt-comments.tsx'

export function RecentActivity() {
  const list = useInfiniteQuery(ownActivityOptions)
  return <ActivityList list={list} withHunt />
}

export function HuntActivity({ huntId }: { huntId: string }) {
  const list = useInfiniteQuery(huntActivityOptions(huntId))
  return <ActivityList list={list} withHunt={false} />
}

type ActivityListProps = { list: Parameters<typeof PagedList<HuntEvent>>[0]['list']; withHunt: boolean }

function ActivityList({ list, withHunt }: ActivityListProps) {
  const me = useCurrentUser()
  const units = useUnits()
  return (
    <section aria-labelledby="recent-activity" className="grid gap-3">
      <h2 id="recent-activity" className="text-xl">
        Recent Activity
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading activity..."
        skeleton={<SkeletonText lines={2} />}
        failure="The activity couldn’t be loaded"
        cards="whole"
        empty={<ListNote title="No activity yet" />}
      >
        {(events) => (
          <Card asChild>
            <ol className="divide-y divide-line">
              {events.map((event) => (
                <li key={event.id} className="px-4 py-3">
                  <p className="wrap-anywhere">{activityWords(event, units)}</p>
                  <p className="text-muted text-sm wrap-anywhere">
                    {withHunt && (
                      <>
                        <Link to="/pheno-hunt/$id" params={{ id: event.huntId }} className="touch-target hover:underline">
                          {event.huntName}
                        </Link>
                        {' · '}
                      </>
                    )}
                    {event.recordedBy && event.recordedBy.id !== me?.id && `${event.recordedBy.name} · `}
                    <Ago at={event.recordedAt} />
                    {isOfAnotherDay(event) && ` · for ${shortDay(event.happenedOn)}`}
                  </p>
                </li>
              ))}
            </ol>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

/** In the viewer's time zone, because in the evening, `recordedAt` is already on the next day in UTC. */
export const isOfAnotherDay = ({ happenedOn, recordedAt }: Pick<HuntEvent, 'happenedOn' | 'recordedAt'>): boolean =>
  happenedOn !== localDay(new Date(recordedAt))

const measured = [
  ['heightCm', 'length'],
  ['dryGrams', 'mass'],
] as const

/** Uses the viewer's units, unlike the server's sentence. */
export function activityWords({ summary, detail }: Pick<HuntEvent, 'summary' | 'detail'>, units: Units): string {
  return measured.reduce((words, [fact, measure]) => {
    const value = detail[fact]
    if (typeof value !== 'number') return words
    return words.replace(`${value} ${unitName(measure, storedUnits)}`, `${shown(value, measure, units)} ${unitName(measure, units)}`)
  }, summary)
}

export function ActivitySection({ hunt }: { hunt: Hunt }) {
  const hasComments = hunt.visibility === 'public' || hunt.commentsCount > 0
  return (
    <div className="grid items-start gap-8 lg:grid-cols-2">
      {hasComments && (
        <section aria-labelledby="comments-title" className="grid gap-3">
          <h2 id="comments-title" className="text-xl">
            Comments
          </h2>
          {hunt.visibility === 'private' && (
            <p className="text-muted text-sm">
              Written while the hunt was public. Now only you and the people you share it with can see them.
            </p>
          )}
          <HuntComments hunt={hunt} />
        </section>
      )}
      <HuntActivity huntId={hunt.id} />
    </div>
  )
}
