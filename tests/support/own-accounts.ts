import { expect } from 'vitest'
import type { Agreement, Checkout, PaymentAccounts, PublicOffer } from '#contracts/billing.ts'
import { billingJobs } from '#server/features/billing/index.ts'
import { billingOf } from './billing.ts'
import { Crash } from './crash.ts'
import { grantPlan } from './entitlements.ts'
import { type Merchant, type SignedMessage, startPayPalServer } from './paypal-server.ts'
import { startTestApp, type TestPerson } from './test-app.ts'

/** A business with its own PayPal account. */
export type PayPalBusiness = { owner: TestPerson; id: string; slug: string; merchant: Merchant; accountId: string; webhookId: string }
export type OwnAccounts = Awaited<ReturnType<typeof startOwnAccounts>>

const accountsUrl = (id: string) => `/api/businesses/${id}/payment-accounts`
const keysOf = ({ clientId, clientSecret }: Merchant) => ({ clientId, clientSecret })
const paypalOf = (checkout: Checkout) => checkout.paypal as { clientId: string; planId: string; customId: string }

/** A site and businesses, each with its own PayPal account, as merchants of a local PayPal. */
export async function startOwnAccounts(env: Record<string, string> = {}) {
  const logged: string[] = []
  let now = () => new Date()
  const paypal = await startPayPalServer(() => now())
  const test = await startTestApp({
    env: { ...paypal.env, PUBLIC_URL: 'https://grove.example', LOG_LEVEL: 'trace', BILLING_NAME: 'SG Media', ...env },
    logTo: (line) => logged.push(line),
  })
  now = () => test.clock.now()
  const billing = billingOf(test)

  const connect = (yard: { owner: TestPerson; id: string }, merchant: Merchant) =>
    test.request('PUT', `${accountsUrl(yard.id)}/paypal`, yard.owner, {
      ...keysOf(merchant),
      password: yard.owner.password,
    })
  const setPrice = (yard: { owner: TestPerson; id: string }, price: string | null) => {
    const offer = { price, currency: 'USD', title: 'Inner circle', perks: [] }
    return test.request('PUT', `/api/businesses/${yard.id}/subscription-offer`, yard.owner, offer)
  }
  const rowOf = (businessId: string) =>
    test.db
      .selectFrom('business_payment_accounts')
      .selectAll()
      .where('business_id', '=', businessId)
      .where('retired_at', 'is', null)
      .executeTakeFirstOrThrow()
  const begin = (yard: { id: string }, as: TestPerson) =>
    billing.call<Checkout>(as, 'POST', '/api/billing/checkouts', { provider: 'paypal', subscribeTo: yard.id })

  async function newBusiness(name: string) {
    const owner = await test.signUp()
    await billing.stayIn()
    const business = await billing.addOwnBusiness(owner, name)
    await grantPlan(test.db, { businessId: business.id, planId: 'business_tools', until: new Date('2060-01-01') })
    return { owner, ...business }
  }

  return {
    paypal,
    test,
    billing,
    logged,
    accountsUrl,
    keysOf,
    paypalOf,
    connect,
    setPrice,
    rowOf,
    begin,
    newBusiness,
    async newYard(name: string, merchant = paypal.addMerchant()): Promise<PayPalBusiness> {
      const business = await newBusiness(name)
      const connected = await connect(business, merchant)
      expect(connected.statusCode, connected.body).toBe(200)
      const row = await rowOf(business.id)
      expect((await setPrice(business, '12.50')).statusCode).toBe(200)
      return { ...business, merchant, accountId: row.id, webhookId: row.webhook_id as string }
    },
    async buy(yard: { id: string }) {
      const person = await test.signUp()
      await billing.stayIn()
      const checkout = await begin(yard, person)
      const { planId, customId } = paypalOf(checkout)
      const { id } = paypal.approve(planId, customId)
      return { person, checkout, subscriptionId: id, agreement: await billing.approveHere(person, checkout.id, id) }
    },
    accounts: (yard: { owner: TestPerson; id: string }) => billing.call<PaymentAccounts>(yard.owner, 'GET', accountsUrl(yard.id)),
    offerOf: async (id: string) => (await test.request('GET', `/api/businesses/${id}/subscription-offer`)).json() as PublicOffer,
    ownAgreements: (as: TestPerson) => billing.call<Agreement[]>(as, 'GET', '/api/billing/agreements'),
    deliver: async ({ headers, body }: SignedMessage, accountId: string) =>
      (await test.app.inject({ method: 'POST', url: `/api/billing/messages/paypal/${accountId}`, headers, payload: body })).statusCode,
    async runJob(name: 'billing.expire' | 'billing.reconcile' | 'billing.check-accounts') {
      await billingJobs(test.ctx)[name]({})
      await test.runJobs()
    },
    async close() {
      await test.close()
      await paypal.close()
    },
  }
}

/** Returns false for a simulated crash, because the step didn't finish. Rethrows any other error. */
export function isCrash(error: unknown): false {
  let cause: unknown = error
  while (cause instanceof Error && !(cause instanceof Crash)) cause = cause.cause
  if (cause instanceof Crash) return false
  throw error
}
