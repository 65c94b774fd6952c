import * as contract from '#contracts/webhooks.endpoints.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { decodeCursor, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { recordJobs } from './record-events.ts'
import { purgeDeliveries, sendDue, sweepDeliveries } from './send-webhooks.ts'
import { deliveriesPage, webhookOf, webhooksPage } from './webhooks.queries.ts'
import { createWebhook, deleteWebhook, resendDelivery, rotateSecret, testWebhook, updateWebhook } from './write-webhooks.ts'

export { failureReason } from './send-webhooks.ts'
export { deleteWebhooksOf, requirePublic } from './write-webhooks.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'webhooks.send': { webhookId: string }
    'webhooks.sweep': Record<string, never>
    'webhooks.purge': Record<string, never>
  }
}

type WebhookJob = Extract<JobName, `webhooks.${string}`>

export const webhookJobs = (ctx: Context): Pick<JobHandlers, WebhookJob> => ({
  ...recordJobs(ctx),
  'webhooks.send': ({ webhookId }) => sendDue(ctx, webhookId),
  'webhooks.sweep': () => sweepDeliveries(ctx),
  'webhooks.purge': () => purgeDeliveries(ctx),
})

export const webhookSchedules: readonly JobSchedule[] = [
  { name: 'webhooks.sweep', cron: '* * * * *', data: {} },
  { name: 'webhooks.find-old-menus', cron: '17 * * * *', data: {} },
  { name: 'webhooks.purge', cron: '53 4 * * *', data: {} },
]

export function registerWebhooks(api: Api): void {
  route(api, contract.listWebhooks, async ({ ctx, actor, params, query }) => {
    const { id } = await requirePermission(ctx.db, actor, params.id, 'connections')
    const after = decodeCursor(query.cursor, ['time', 'id'])
    return toPage(await webhooksPage(ctx.db, ctx, id, after, query.limit + 1), query.limit, (each) => [each.createdAt, each.id])
  })
  route(api, contract.createWebhook, ({ ctx, actor, params, body }) => createWebhook(ctx, actor, params.id, body))
  route(api, contract.updateWebhook, ({ ctx, actor, params, body }) => updateWebhook(ctx, actor, params.id, params.webhookId, body))
  route(api, contract.deleteWebhook, ({ ctx, actor, params }) => deleteWebhook(ctx, actor, params.id, params.webhookId))
  route(api, contract.rotateWebhookSecret, ({ ctx, actor, params }) => rotateSecret(ctx, actor, params.id, params.webhookId))
  route(api, contract.testWebhook, ({ ctx, actor, params }) => testWebhook(ctx, actor, params.id, params.webhookId))
  route(api, contract.listDeliveries, async ({ ctx, actor, params, query }) => {
    const business = await requirePermission(ctx.db, actor, params.id, 'connections')
    const { id } = await webhookOf(ctx.db, ctx, business.id, params.webhookId)
    const after = decodeCursor(query.cursor, ['time', 'id'])
    return toPage(await deliveriesPage(ctx.db, id, after, query.limit + 1), query.limit, (each) => [each.createdAt, each.id])
  })
  route(api, contract.resendDelivery, ({ ctx, actor, params }) =>
    resendDelivery(ctx, actor, params.id, params.webhookId, params.deliveryId),
  )
}
