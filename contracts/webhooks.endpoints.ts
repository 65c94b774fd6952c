import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, page } from './fields.ts'
import { NewWebhook, Webhook, WebhookDelivery } from './webhooks.ts'
import * as z from './zod.ts'

const WebhookParams = z.object({ id: IdOrSlug, webhookId: Id })
const WithSecret = z.object({ webhook: Webhook, secret: z.string() })

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/webhooks',
  summary: 'List the webhooks of a business, newest first',
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
  summary: 'Create a webhook. Its secret is in this response only; 409 if a webhook of the business has the same address.',
  tag: 'Webhooks',
  access: 'member',
  words: 'account',
  params: IdOrSlugParams,
  body: NewWebhook,
  response: WithSecret,
  status: 201,
})

export const changeWebhook = endpoint({
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
  summary: 'Replace the secret of a webhook. For a day, calls are signed with both secrets.',
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
  summary: 'List what a webhook sent in the last 30 days, newest first',
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
  summary: 'Send an event again, with the same webhook-id. Idempotent while it waits.',
  tag: 'Webhooks',
  access: 'member',
  params: z.object({ id: IdOrSlug, webhookId: Id, deliveryId: Id }),
  response: WebhookDelivery,
})
