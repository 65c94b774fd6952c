import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, page } from './fields.ts'
import { NewWebhook, Webhook, WebhookDelivery } from './webhooks.ts'
import * as z from './zod.ts'

const WebhookParams = z.object({ id: IdOrSlug, webhookId: Id })
const WithSecret = z.object({ webhook: Webhook, secret: z.string() })

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/webhooks',
  summary: "List a business's webhooks, newest first",
  tag: 'Webhooks',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(Webhook),
})

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/webhooks',
  summary:
    'Create a webhook. Only this response contains its secret. Returns 409 if the business already has a webhook with the same address.',
  tag: 'Webhooks',
  access: 'member',
  words: 'account',
  params: IdOrSlugParams,
  body: NewWebhook,
  response: WithSecret,
  status: 201,
})

export const updateWebhook = endpoint({
  method: 'PATCH',
  path: '/api/businesses/:id/webhooks/:webhookId',
  summary: "Change a webhook's events, stop it, or resume it. Idempotent.",
  tag: 'Webhooks',
  access: 'member',
  params: WebhookParams,
  body: z.object({ events: z.optional(NewWebhook.shape.events), isStopped: z.optional(z.boolean()) }),
  response: Webhook,
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/webhooks/:webhookId',
  summary: 'Delete a webhook and its deliveries. Idempotent.',
  tag: 'Webhooks',
  access: 'member',
  params: WebhookParams,
})

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/webhooks/:webhookId/rotations',
  summary: "Replace a webhook's secret. For a day, calls are also signed with the replaced secrets.",
  tag: 'Webhooks',
  access: 'member',
  params: WebhookParams,
  response: WithSecret,
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/webhooks/:webhookId/tests',
  summary: 'Send a test event',
  tag: 'Webhooks',
  access: 'member',
  params: WebhookParams,
  response: WebhookDelivery,
  status: 201,
})

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/webhooks/:webhookId/deliveries',
  summary: "List a webhook's deliveries from the last 30 days, newest first",
  tag: 'Webhooks',
  access: 'member',
  paginated: true,
  params: WebhookParams,
  query: z.object(page),
  response: z.array(WebhookDelivery),
})

export const resendDelivery = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/webhooks/:webhookId/deliveries/:deliveryId/resends',
  summary: "Send an event again with the same webhook-id. Idempotent until it's sent.",
  tag: 'Webhooks',
  access: 'member',
  params: z.object({ id: IdOrSlug, webhookId: Id, deliveryId: Id }),
  response: WebhookDelivery,
})
