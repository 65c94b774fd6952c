import * as z from 'zod/mini'
import { AccountUnusable } from '#server/kernel/payments.ts'
import { type PayPalClient, read, require2xx } from './paypal-client.ts'

/** Event types that an account's webhook needs: "Billing subscription" and "Payment sale". */
const events = [
  'BILLING.SUBSCRIPTION.ACTIVATED',
  'BILLING.SUBSCRIPTION.CANCELLED',
  'BILLING.SUBSCRIPTION.EXPIRED',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
  'BILLING.SUBSCRIPTION.SUSPENDED',
  'BILLING.SUBSCRIPTION.UPDATED',
  'PAYMENT.SALE.COMPLETED',
  'PAYMENT.SALE.REFUNDED',
  'PAYMENT.SALE.REVERSED',
]

const Webhook = z.object({ id: z.string(), url: z.string(), event_types: z.optional(z.array(z.object({ name: z.string() }))) })
const Webhooks = z.object({ webhooks: z.optional(z.array(Webhook)) })
const Refusal = z.object({ name: z.string() })

const path = '/v1/notifications/webhooks'
const idPattern = /^[A-Za-z0-9]{1,50}$/

/** Finds or creates the account's webhook for `url`. @throws AccountUnusable, ProviderUnavailable */
export async function ensureWebhook(client: PayPalClient, url: string): Promise<string> {
  const listed = await client.send({ method: 'GET', path })
  if (listed.status === 403)
    throw new AccountUnusable("This PayPal app can't manage webhooks. Use a REST app of your own business account.")
  const { webhooks = [] } = read(Webhooks, require2xx(listed, 'list webhooks'))
  const wanted = events.map((name) => ({ name }))
  const there = webhooks.find((each) => each.url === url && idPattern.test(each.id))
  if (there) {
    const known = new Set(there.event_types?.map(({ name }) => name))
    if (known.has('*') || events.every((name) => known.has(name))) return there.id
    const body = [{ op: 'replace', path: '/event_types', value: wanted }]
    require2xx(await client.send({ method: 'PATCH', path: `${path}/${there.id}`, body }), 'change a webhook')
    return there.id
  }
  const made = await client.send({ method: 'POST', path, body: { url, event_types: wanted } })
  if (made.status >= 400 && made.status < 500) throw new AccountUnusable(refusalText(Refusal.safeParse(made.body).data?.name))
  return read(Webhook, require2xx(made, 'create a webhook')).id
}

/** @throws ProviderUnavailable */
export async function removeWebhook(client: PayPalClient, id: string): Promise<void> {
  if (!idPattern.test(id)) return
  const answer = await client.send({ method: 'DELETE', path: `${path}/${id}` })
  if (answer.status !== 404) require2xx(answer, 'remove a webhook')
}

function refusalText(name: string | undefined): string {
  if (name === 'WEBHOOK_NUMBER_LIMIT_EXCEEDED') {
    return 'This PayPal app has as many webhooks as PayPal allows. Remove one you no longer use, then connect again.'
  }
  return 'PayPal doesn’t accept this server’s address for webhooks: it must be public and start with https. Contact the site’s operator.'
}
