import { useInfiniteQuery } from '@tanstack/react-query'
import type { OwnReport } from '../../../contracts/reports.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { reasonTitle } from '../reports/report-words.ts'
import { ownReportsOptions } from './standing.api.ts'
import { subjectTitle } from './standing-words.ts'

const outcomes: Record<OwnReport['outcome'], { word: string; variant: 'outline' | 'leaf' | 'neutral' }> = {
  waiting: { word: 'Waiting', variant: 'outline' },
  action_taken: { word: 'Something was done', variant: 'leaf' },
  no_action: { word: 'Nothing against the rules', variant: 'neutral' },
}

/** What the person told moderators about, and what became of it. */
export function OwnReports() {
  const list = useInfiniteQuery(ownReportsOptions)
  return (
    <section aria-labelledby="own-reports">
      <h2 id="own-reports" className="mb-4 text-xl">
        What you reported
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading reports..."
        skeleton={<SkeletonText lines={2} />}
        failure="Your reports could not be loaded"
        cards="whole"
        empty={<ListNote title="You have reported nothing">What you report from a menu is answered here.</ListNote>}
      >
        {(reports) => (
          <Card asChild>
            <ul>
              {reports.map(({ id, subject, reason, createdAt, outcome }) => (
                <li
                  key={id}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-line px-4 py-3 not-last:border-b sm:px-5"
                >
                  <p>
                    {subjectTitle(subject)} <span className="text-muted">· {reasonTitle(reason)}</span>
                  </p>
                  <p className="flex items-center gap-3 text-muted text-sm">
                    <Ago at={createdAt} />
                    <Badge variant={outcomes[outcome].variant}>{outcomes[outcome].word}</Badge>
                  </p>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}
