import { expect } from 'vitest'
import type { Agreement, Checkout, NewCheckout, PlanStatus } from '#contracts/billing.ts'
import type { TestProvider } from '#server/kernel/payments.ts'
import type { TestApp, TestPerson } from './test-app.ts'

/** Purchases through the API as the web app makes them, with the test provider. */
export function billingOf(test: TestApp) {
  const call = async <Answer>(
    person: TestPerson,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    url: string,
    payload?: object,
  ): Promise<Answer> => {
    const response = await test.request(method, url, person, payload)
    expect(response.statusCode, `${method} ${url}: ${response.body}`).toBeLessThan(300)
    return response.json() as Answer
  }
  const begin = (person: TestPerson, input: Partial<NewCheckout>) =>
    call<Checkout>(person, 'POST', '/api/billing/checkouts', { provider: 'test', ...input })
  const approveThere = async (person: TestPerson, checkoutId: string) =>
    (await call<{ subscriptionID: string }>(person, 'POST', `/api/billing/test/checkouts/${checkoutId}/answers`, { outcome: 'approve' }))
      .subscriptionID
  const approveHere = (person: TestPerson, checkoutId: string, subscriptionID: string) =>
    call<Agreement>(person, 'POST', `/api/billing/checkouts/${checkoutId}/approval`, { subscriptionID })

  return {
    call,
    begin,
    approveThere,
    approveHere,
    provider: test.ctx.payments.test as TestProvider,
    async buy(person: TestPerson, input: Partial<NewCheckout>): Promise<Agreement> {
      const checkout = await begin(person, input)
      return approveHere(person, checkout.id, await approveThere(person, checkout.id))
    },
    subscriptionOf: async (agreementId: string): Promise<string> => {
      const row = await test.db
        .selectFrom('agreements')
        .select('provider_subscription_id')
        .where('id', '=', agreementId)
        .executeTakeFirstOrThrow()
      return row.provider_subscription_id as string
    },
    /** Extends sessions, because these tests skip months. */
    async stayIn(): Promise<void> {
      await test.db
        .updateTable('sessions')
        .set({ expires_at: new Date('2060-01-01') })
        .execute()
    },
    ownPlans: async (person: TestPerson) => (await call<PlanStatus>(person, 'GET', '/api/billing/plan')).plans.map(({ name }) => name),
    ownStanding: (person: TestPerson) => call<PlanStatus>(person, 'GET', '/api/billing/plan'),
    standing: (person: TestPerson, business: string) => call<PlanStatus>(person, 'GET', `/api/businesses/${business}/plan`),
    async addOwnBusiness(owner: TestPerson, businessName: string): Promise<{ id: string; slug: string }> {
      return call(owner, 'POST', '/api/businesses', { businessName, location: 'Denver, CO' })
    },
  }
}
