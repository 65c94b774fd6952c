import { endpoint } from './endpoint.ts'
import { Id } from './fields.ts'
import * as z from './zod.ts'

const SubscriptionState = z.object({ businessId: Id, isSubscribed: z.boolean(), subscriberCount: z.int() })
const BusinessIdParams = z.object({ businessId: Id })

export const subscribe = endpoint({
  method: 'POST',
  path: '/api/subscriptions',
  summary: 'Subscribe to a business. Idempotent.',
  tag: 'Subscriptions',
  access: 'member',
  body: BusinessIdParams,
  response: SubscriptionState,
})

export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/api/subscriptions/:businessId',
  summary: 'Cancel a subscription. Idempotent.',
  tag: 'Subscriptions',
  access: 'member',
  params: BusinessIdParams,
  response: SubscriptionState,
})
