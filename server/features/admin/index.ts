import type { FailedJob, JobQueue } from '#contracts/admin.endpoints.ts'
import * as contract from '#contracts/admin.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { changeRole, signOutEverywhere } from '#server/features/accounts/index.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { correctName } from '#server/features/businesses/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import type { Page } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listAllCommunities, listAudit, listAuditActions, listBusinesses } from './lists.ts'
import { listPeople, lookAtPerson } from './people.ts'
import { getHealth, getPlanFigures, getQueueCounts } from './site-figures.ts'

export function registerAdmin(api: Api): void {
  route(api, contract.getQueueCounts, ({ ctx }) => getQueueCounts(ctx))
  route(api, contract.getHealth, ({ ctx }) => getHealth(ctx))
  route(api, contract.listPeople, ({ ctx, query }) => listPeople(ctx, query))
  route(api, contract.getPerson, ({ ctx, actor, params }) => lookAtPerson(ctx, actor, params.id))
  route(api, contract.changeRole, ({ ctx, actor, params, body }) => changeRole(ctx, actor, params.id, body.role))
  route(api, contract.signOutEverywhere, async ({ ctx, actor, params }) => ({ ended: await signOutEverywhere(ctx, actor, params.id) }))
  route(api, contract.listBusinesses, ({ ctx, query }) => listBusinesses(ctx, query))
  route(api, contract.correctBusinessName, ({ ctx, actor, params, body }) => correctName(ctx, actor, params.id, body.name))
  route(api, contract.listAllCommunities, ({ ctx, query }) => listAllCommunities(ctx, query))
  route(api, contract.getPlanFigures, ({ ctx }) => getPlanFigures(ctx))
  route(api, contract.listAudit, ({ ctx, query }) => listAudit(ctx, query))
  route(api, contract.listAuditActions, ({ ctx }) => listAuditActions(ctx))
  route(api, contract.listJobQueues, ({ ctx }) => listJobQueues(ctx))
  route(api, contract.listFailedJobs, ({ ctx, query }) => listFailedJobs(ctx, query))
  route(api, contract.retryJobs, async ({ ctx, actor, body }) => ({ retried: await retryJobs(ctx, actor, body) }))
}

async function listJobQueues({ jobs }: Context): Promise<JobQueue[]> {
  const queues = await jobs.desk.queues()
  return queues.map(({ oldestWaitingAt, ...queue }) => ({ ...queue, oldestWaitingAt: oldestWaitingAt?.toISOString() ?? null }))
}

async function listFailedJobs({ jobs }: Context, query: { limit: number; cursor?: string | undefined }): Promise<Page<FailedJob>> {
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

/** The retried jobs may concern anyone, so the audit entry's subject is the admin. */
async function retryJobs(
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

const maxLength = 300

/**
 * The first line of an error, with possible personal data removed: addresses, links, long numbers, tokens and quoted text.
 * The log, which only the operator reads, has the full message.
 */
export function withoutPrivateData(message: string): string {
  const line = message.split('\n', 1)[0]?.trim() ?? ''
  const clean = line
    .replace(/[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+/g, '[address]')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[link]')
    .replace(/"[^"]*"|“[^”]*”|'[^']{12,}'/g, '[text]')
    .replace(/\b(?=[\w-]*\d)[\w-]{20,}\b/g, '[id]')
    .replace(/\+?\d[\d\s()-]{6,}\d|\b\d{3}\.\d{3}\.\d{4}\b/g, '[number]')
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean || 'No message'
}
