import { sendSupportRequest } from '#contracts/support.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { mailRequest, sendRequest } from './send-request.ts'

export function registerSupport(api: Api): void {
  route(api, sendSupportRequest, ({ ctx, actor, body, idempotency }) => sendRequest(ctx, actor, body, idempotency))
}

export const supportJobs = (ctx: Context): Pick<JobHandlers, 'support.mail'> => ({
  'support.mail': (data) => mailRequest(ctx, data),
})
