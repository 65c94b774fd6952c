import * as contract from '#contracts/admin.ts'
import * as audit from '#contracts/admin-audit.ts'
import * as jobs from '#contracts/admin-jobs.ts'
import { changeRole, signOutEverywhere } from '#server/features/accounts/index.ts'
import { correctName } from '#server/features/businesses/index.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listAudit, listAuditActions } from './audit-log.ts'
import { listBusinesses } from './businesses.ts'
import { listAllCommunities } from './communities.ts'
import { listFailedJobs, listJobQueues, retryJobs } from './jobs.ts'
import { listPeople, lookAtPerson } from './people.ts'
import { getHealth, getPlanFigures, getWaiting } from './site-figures.ts'

export function registerAdmin(api: Api): void {
  route(api, contract.getWaiting, ({ ctx }) => getWaiting(ctx))
  route(api, contract.getHealth, ({ ctx }) => getHealth(ctx))
  route(api, contract.listPeople, ({ ctx, query }) => listPeople(ctx, query))
  route(api, contract.getPerson, ({ ctx, actor, params }) => lookAtPerson(ctx, actor, params.id))
  route(api, contract.changeRole, async ({ ctx, actor, params, body }) => {
    await changeRole(ctx, actor, params.id, body.role)
    return undefined
  })
  route(api, contract.signOutEverywhere, async ({ ctx, actor, params }) => ({ ended: await signOutEverywhere(ctx, actor, params.id) }))
  route(api, contract.listBusinesses, ({ ctx, query }) => listBusinesses(ctx, query))
  route(api, contract.correctBusinessName, async ({ ctx, actor, params, body }) => {
    await correctName(ctx, actor, params.id, body.name)
    return undefined
  })
  route(api, contract.listAllCommunities, ({ ctx, query }) => listAllCommunities(ctx, query))
  route(api, contract.getPlanFigures, ({ ctx }) => getPlanFigures(ctx))
  route(api, audit.listAudit, ({ ctx, query }) => listAudit(ctx, query))
  route(api, audit.listAuditActions, ({ ctx }) => listAuditActions(ctx))
  route(api, jobs.listJobQueues, ({ ctx }) => listJobQueues(ctx))
  route(api, jobs.listFailedJobs, ({ ctx, query }) => listFailedJobs(ctx, query))
  route(api, jobs.retryJobs, async ({ ctx, actor, body }) => ({ retried: await retryJobs(ctx, actor, body) }))
}
