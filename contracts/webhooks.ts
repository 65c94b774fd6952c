import { webhookEvents } from './choices.ts'
import { Id, withoutNul } from './fields.ts'
import * as z from './zod.ts'

const WebhookEvent = z.enum(webhookEvents)

/**
 * - `working`
 * - `failing`: the last attempt failed and will be repeated
 * - `stopped`: sends nothing; see `stopReason`
 */
const WebhookState = z.enum(['working', 'failing', 'stopped'])

/**
 * - `by_team`
 * - `gone`: the receiver responded with 410
 * - `failing`: every attempt failed for three days
 * - `creator`: its creator may no longer manage connections, for example after leaving the team
 */
const WebhookStopReason = z.enum(['by_team', 'gone', 'failing', 'creator'])

export const Webhook = z.object({
  id: Id,
  url: z.string(),
  events: z.array(WebhookEvent),
  state: WebhookState,
  stopReason: z.nullable(WebhookStopReason),
  /** When the current series of failures began. */
  failingSince: z.nullable(z.iso.datetime()),
  /** Until when calls are also signed with the secrets that were replaced. Null if only the current secret is used. */
  oldSecretUntil: z.nullable(z.iso.datetime()),
  /** The team member who created or last resumed the webhook. Null if the account was deleted. */
  createdBy: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type Webhook = z.infer<typeof Webhook>

/** The server checks the URL again before every call. */
export const TargetUrl = z
  .string('Enter an address')
  .check(
    z.trim(),
    z.maxLength(500, 'At most 500 characters'),
    withoutNul,
    z.refine(isPlainWebAddress, 'Enter a full address that starts with https://, without a username or password'),
  )

function isPlainWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

export const NewWebhook = z.object({
  url: TargetUrl,
  events: z.array(WebhookEvent).check(z.minLength(1, 'Choose at least one event'), z.maxLength(webhookEvents.length)),
})

/**
 * - `waiting`: not attempted yet, or waiting for another attempt
 * - `delivered`: the receiver responded with 2xx
 * - `failed`: no more attempts will be made, but it can be resent
 */
const DeliveryState = z.enum(['waiting', 'delivered', 'failed'])

export const WebhookDelivery = z.object({
  /** The `webhook-id` of every attempt. */
  id: Id,
  event: z.union([WebhookEvent, z.literal('webhook.test')]),
  payload: z.string(),
  state: DeliveryState,
  tries: z.int(),
  /** The receiver's HTTP status in the last attempt. Null if it sent none; `error` then says why. */
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  triedAt: z.nullable(z.iso.datetime()),
  nextTryAt: z.nullable(z.iso.datetime()),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
