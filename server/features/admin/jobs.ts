import type { FailedJob, JobQueue } from '../../../contracts/admin-jobs.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import type { Page } from '../../kernel/keyset.ts'
import { recordAudit } from '../audit/index.ts'
import { withoutPrivateData } from './without-private-data.ts'

export async function listJobQueues({ jobs }: Context): Promise<JobQueue[]> {
  const queues = await jobs.desk.queues()
  return queues.map(({ oldestWaitingAt, ...queue }) => ({ ...queue, oldestWaitingAt: oldestWaitingAt?.toISOString() ?? null }))
}

export async function listFailedJobs({ jobs }: Context, query: { limit: number; cursor?: string | undefined }): Promise<Page<FailedJob>> {
  const { items, nextCursor } = await jobs.desk.failed(query)
  return {
    nextCursor,
    items: items.map(({ queuedAt, failedAt, error, ...job }) => ({
      ...job,
      queuedAt: queuedAt.toISOString(),
      failedAt: failedAt.toISOString(),
      error: withoutPrivateData(error),
    })),
  }
}

/** What is tried again may be anybody's job, so that the entry is about the admin who asked. */
export async function retryJobs(
  { db, clock, jobs }: Context,
  actor: Actor,
  which: { name?: string | undefined; id?: string | undefined },
): Promise<number> {
  const retried = await jobs.desk.retry(which)
  const count = retried.reduce((sum, each) => sum + each.count, 0)
  if (count > 0) {
    const details = { kinds: retried.map(({ name }) => name).join(' '), count }
    const entry = { actorId: actor.id, action: 'job.retried', subjectType: 'user', subjectId: actor.id, details } as const
    await inTransaction(db, (tx) => recordAudit(tx, { ...entry, at: clock.now() }))
  }
  return count
}
