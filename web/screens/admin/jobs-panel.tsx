import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { FailedJob, JobQueue } from '#contracts/admin.endpoints.ts'
import { retryJobs } from '#contracts/calls/admin.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { failedJobsOptions, jobQueuesOptions, refreshJobs } from './admin.api.ts'

export function JobsPanel() {
  return (
    <div className="grid gap-10">
      <Failed />
      <Queues />
    </div>
  )
}

function useRetry() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (which: { name?: string; id?: string }) => call(retryJobs, { body: which }),
    onSuccess: async ({ retried }) => {
      toast(
        retried === 0
          ? { title: 'Nothing to retry', description: 'No matching job is marked as failed anymore.' }
          : { title: `Retrying ${retried} ${retried === 1 ? 'job' : 'jobs'}`, description: 'They usually start within seconds.' },
      )
      await refreshJobs(client)
    },
    onError: (error) => toast({ title: 'The jobs weren’t retried', description: messageOf(error), variant: 'destructive' }),
  })
}

function Failed() {
  const list = useInfiniteQuery(failedJobsOptions)
  const retry = useRetry()
  const isAnything = (list.data?.pages[0]?.items.length ?? 0) > 0
  return (
    <section aria-labelledby="failed-jobs">
      <div className="mb-3 flex min-h-10 flex-wrap items-center justify-between gap-3">
        <h3 id="failed-jobs" className="text-lg">
          Failed
        </h3>
        {isAnything && (
          <Button variant="secondary" size="sm" onClick={() => retry.mutate({})} pending={retry.isPending} pendingText="One moment...">
            <RotateCw aria-hidden="true" />
            Retry all
          </Button>
        )}
      </div>
      <PagedList
        list={list}
        loadingLabel="Loading failed jobs..."
        skeleton={<SkeletonRow />}
        failure="The failed jobs couldn’t be loaded"
        cards="whole"
        empty={
          <ListNote title="No failed jobs">
            Each job is tried seven times within about an hour. Failed jobs are listed here for a week.
          </ListNote>
        }
      >
        {(jobs) => (
          <Card asChild>
            <ul>
              {jobs.map((job) => (
                <FailedRow key={job.id} job={job} onRetry={() => retry.mutate({ id: job.id })} isPending={retry.isPending} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

function FailedRow({ job, onRetry, isPending }: { job: FailedJob; onRetry: () => void; isPending: boolean }) {
  return (
    <li className="grid gap-x-6 gap-y-2 border-line border-t p-4 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="min-w-0">
        <p className="font-mono text-sm wrap-anywhere">{job.name}</p>
        <p className="mt-1 text-clay text-sm wrap-anywhere">{job.error}</p>
        <p className="mt-1 text-muted text-sm">
          Failed <Ago at={job.failedAt} /> after {job.tries} {job.tries === 1 ? 'attempt' : 'attempts'}, queued <Ago at={job.queuedAt} />
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        aria-label={`Retry ${job.name}`}
        aria-disabled={isPending}
        onClick={() => !isPending && onRetry()}
      >
        Retry
      </Button>
    </li>
  )
}

function Queues() {
  const query = useQuery(jobQueuesOptions)
  return (
    <section aria-labelledby="queues">
      <h3 id="queues" className="mb-3 text-lg">
        Waiting and running
      </h3>
      <Loaded
        query={query}
        loadingLabel="Loading the queues..."
        skeleton={<Skeleton className="h-40 rounded-card" />}
        failure="The queues couldn’t be loaded"
      >
        {(queues) =>
          queues.length === 0 ? <ListNote title="No waiting jobs">All queued jobs are done.</ListNote> : <QueueTable queues={queues} />
        }
      </Loaded>
    </section>
  )
}

const QueueTable = ({ queues }: { queues: JobQueue[] }) => (
  <Card>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
    <section aria-label="Jobs by kind" tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">Jobs by kind</caption>
        <thead className="text-muted">
          <tr>
            {['Kind', 'Waiting', 'Retrying', 'Running', 'Failed'].map((name, column) => (
              <th key={name} scope="col" className={`px-3 py-3 sm:px-4 font-medium whitespace-nowrap ${column === 0 ? '' : 'text-right'}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {queues.map((queue) => (
            <tr key={queue.name} className="border-line border-t">
              <th scope="row" className="px-3 py-3 sm:px-4 font-mono font-normal">
                {queue.name}
                {queue.oldestWaitingAt && (
                  <span className="block font-sans text-muted">
                    Oldest queued <Ago at={queue.oldestWaitingAt} />
                  </span>
                )}
              </th>
              {[queue.waiting, queue.retrying, queue.running].map((value, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <td key={column} className="px-3 py-3 sm:px-4 text-right tabular-nums">
                  {value}
                </td>
              ))}
              <td className={`px-3 py-3 sm:px-4 text-right tabular-nums ${queue.failed > 0 ? 'text-clay' : ''}`}>{queue.failed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </Card>
)
